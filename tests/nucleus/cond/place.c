/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A task that comes back from a condition keeps its place in the mutex's queue, whichever task
 * unblocks it. */
#include "actors.h"

static tact_cond_t cond;
static tact_mutex_t mutex;
static struct actor first, owner, second;

static void expect_owner(const struct actor *actor)
{
	struct tact_mutex_info info = {0};

	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_same(info.owner, actor->task);
}

static void until_it_waits_for_the_condition(void)
{
	struct tact_cond_info info = {0};

	do
		expect_ok(tact_cond_inquire(cond, &info));
	while (!info.waiters);
}

/* The first is about to come back from the condition, and the second stands behind it. */
static void stand_behind_the_owner(uint32_t flags, bool signalled)
{
	expect_ok(tact_cond_create(NULL, TACT_ON_CPU(0), &cond));
	expect_ok(tact_mutex_create(NULL, flags | TACT_ON_CPU(0), 0, &mutex));
	expect_ok(actor_do(&first, act_lock, mutex));
	first.second = mutex;
	actor_begin(&first, act_wait, cond, TACT_FOREVER);
	until_it_waits_for_the_condition();
	expect_ok(actor_do(&owner, act_lock, mutex));
	expect_ok(signalled ? tact_cond_signal(cond) : tact_cond_delete(cond));
	until_waiters(mutex, 1);
	actor_blocks(&second, act_lock, mutex);
	until_waiters(mutex, 2);
}

static void expect_both_in_their_order(bool signalled)
{
	expect_owner(&first);
	expect_eq(actor_result(&first), signalled ? 0 : -TACT_EIDRM);
	expect_ok(actor_do(&first, act_unlock, mutex));
	expect_owner(&second);
	expect_ok(actor_result(&second));
	expect_ok(actor_do(&second, act_unlock, mutex));
	actor_end(&first);
	actor_end(&owner);
	actor_end(&second);
	expect_ok(tact_mutex_delete(mutex));
	if (signalled)
		expect_ok(tact_cond_delete(cond));
}

TEST_CPUS(2, unblock_moves_nobody_behind_those_that_came_later)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		for (int signalled = 0; signalled < 2; signalled++) {
			actor_start(&first, cpu, 10);
			actor_start(&owner, 0, 10);
			actor_start(&second, 0, 10);
			stand_behind_the_owner(TACT_FIFO, signalled);
			expect_ok(tact_task_unblock(first.task, 0));
			settle();
			until_waiters(mutex, 2);
			expect_ok(actor_do(&owner, act_unlock, mutex));
			expect_both_in_their_order(signalled);
		}
	}
}

static int act_unblock_first_and_unlock(struct actor *unused)
{
	int error = tact_task_unblock(first.task, 0);

	(void)unused;
	return error ? error : tact_mutex_unlock(mutex);
}

/* Also if it could not be in the queue again before the mutex passes on. */
TEST_CPUS(2, mutex_passes_to_the_most_urgent_that_was_unblocked)
{
	for (int signalled = 0; signalled < 2; signalled++) {
		actor_start(&first, 0, 20);
		actor_start(&owner, 0, 30);
		actor_start(&second, 1, 10);
		stand_behind_the_owner(TACT_PRIO, signalled);
		expect_ok(actor_do(&owner, act_unblock_first_and_unlock, mutex));
		expect_both_in_their_order(signalled);
	}
}

/* But its own end ends the wait. */
TEST_CPUS(2, task_that_is_deleted_leaves_the_mutex_queue)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		for (int signalled = 0; signalled < 2; signalled++) {
			actor_start(&first, cpu, 10);
			actor_start(&owner, 0, 10);
			actor_start(&second, 0, 10);
			stand_behind_the_owner(TACT_FIFO, signalled);
			expect_ok(tact_task_unblock(first.task, 0));
			expect_ok(tact_task_delete(first.task));
			until_waiters(mutex, 1);
			expect_ok(actor_do(&owner, act_unlock, mutex));
			expect_owner(&second);
			expect_ok(actor_result(&second));
			actor_end(&owner);
			actor_end(&second);
			expect_ok(tact_mutex_delete(mutex));
			if (signalled)
				expect_ok(tact_cond_delete(cond));
		}
	}
}
