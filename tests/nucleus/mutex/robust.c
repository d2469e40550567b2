/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Owners that end, mutexes that are deleted while they are owned. */
#include "actors.h"

#include <tactus/registry.h>

static tact_mutex_t mutex;
static struct actor owner;
static struct actor waiter[2];

static void begin(uint32_t home, uint32_t cpu)
{
	expect_ok(tact_mutex_create("state", TACT_ON_CPU(home), 0, &mutex));
	actor_start(&owner, cpu, 10);
	expect_ok(actor_do(&owner, act_lock, mutex));
}

static void repair(uint32_t home, uint32_t owner_cpu, uint32_t waiter_cpu)
{
	struct tact_mutex_info info = {0};

	begin(home, owner_cpu);
	actor_start(&waiter[0], waiter_cpu, 20);
	actor_start(&waiter[1], waiter_cpu, 30);
	actor_blocks(&waiter[0], act_lock, mutex);
	expect_ok(tact_task_delete(owner.task));
	expect_error(actor_result(&waiter[0]), TACT_EOWNERDEAD);
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_same(info.owner, waiter[0].task);
	expect_eq(info.state, TACT_MUTEX_INCONSISTENT);
	expect_error(actor_do(&waiter[1], act_consistent, mutex), TACT_EPERM);
	actor_blocks(&waiter[1], act_lock, mutex);
	expect_priority(&waiter[0], 30);
	expect_ok(actor_do(&waiter[0], act_consistent, mutex));
	expect_error(actor_do(&waiter[0], act_consistent, mutex), TACT_ESRCH);
	expect_ok(actor_do(&waiter[0], act_unlock, mutex));
	expect_ok(actor_result(&waiter[1]));
	expect_ok(actor_do(&waiter[1], act_unlock, mutex));
	expect_priority(&waiter[0], 20);
	expect_ok(tact_mutex_delete(mutex));
	actor_end(&waiter[0]);
	actor_end(&waiter[1]);
}

TEST_CPUS(3, next_owner_is_told_and_repairs)
{
	repair(0, 0, 0);
	repair(0, 0, 1);
	repair(0, 1, 0);
	repair(0, 1, 1);
	repair(0, 1, 2);
}

TEST_CPUS(2, without_repair_it_is_lost)
{
	struct tact_mutex_info info = {0};

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		begin(0, cpu);
		expect_ok(tact_task_delete(owner.task));
		actor_start(&waiter[0], 1, 20);
		actor_start(&waiter[1], 0, 30);
		/* It was free meanwhile, but the next owner is still told. */
		expect_error(actor_do(&waiter[0], act_lock, mutex), TACT_EOWNERDEAD);
		actor_blocks(&waiter[1], act_lock, mutex);
		expect_ok(actor_do(&waiter[0], act_unlock, mutex));
		expect_error(actor_result(&waiter[1]), TACT_ENOTRECOVERABLE);
		expect_error(actor_do(&waiter[0], act_lock, mutex), TACT_ENOTRECOVERABLE);
		actor_begin(&waiter[1], act_lock, mutex, TACT_NOWAIT);
		expect_error(actor_result(&waiter[1]), TACT_ENOTRECOVERABLE);
		expect_ok(tact_mutex_inquire(mutex, &info));
		expect_eq(info.state, TACT_MUTEX_LOST);
		expect_none(info.owner);
		expect_ok(tact_mutex_delete(mutex));
		actor_end(&waiter[0]);
		actor_end(&waiter[1]);
	}
}

TEST_CPUS(2, waiter_that_ends_leaves_the_queue)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		begin(0, 0);
		actor_start(&waiter[0], cpu, 40);
		actor_blocks(&waiter[0], act_lock, mutex);
		expect_priority(&owner, 40);
		expect_ok(tact_task_delete(waiter[0].task));
		expect_priority(&owner, 10);
		expect_ok(actor_do(&owner, act_unlock, mutex));
		expect_ok(actor_do(&owner, act_lock, mutex));
		expect_ok(actor_do(&owner, act_unlock, mutex));
		expect_ok(tact_mutex_delete(mutex));
		actor_end(&owner);
	}
}

/* The mutex is being given to a task that is being ended: another task gets it, in any order of the
 * two. */
TEST_CPUS(2, grant_to_a_task_that_ends_is_not_lost)
{
	int result;

	begin(0, 0);
	actor_start(&waiter[0], 1, 40);
	actor_start(&waiter[1], 1, 5);
	actor_blocks(&waiter[0], act_lock, mutex);
	actor_begin(&owner, act_unlock, mutex, TEST_LONG);
	expect_ok(tact_task_delete(waiter[0].task));
	expect_ok(actor_result(&owner));
	result = actor_do(&waiter[1], act_lock, mutex);
	expect_true(result == 0 || result == -TACT_EOWNERDEAD);
	if (result)
		expect_ok(actor_do(&waiter[1], act_consistent, mutex));
	expect_ok(actor_do(&waiter[1], act_unlock, mutex));
}

TEST_CPUS(3, deletion_while_owned_tells_waiters_and_frees_the_owner)
{
	static const uint32_t cpus[3] = {0, 1, 2};

	for (int i = 0; i < 3; i++) {
		tact_object_t found;

		begin(0, cpus[i]);
		actor_start(&waiter[0], 1, 40);
		actor_start(&waiter[1], 0, 50);
		actor_blocks(&waiter[0], act_lock, mutex);
		actor_blocks(&waiter[1], act_lock, mutex);
		expect_priority(&owner, 50);
		expect_ok(tact_mutex_delete(mutex));
		expect_error(tact_find("state", TACT_NOWAIT, &found), TACT_EAGAIN);
		expect_error(actor_result(&waiter[0]), TACT_EIDRM);
		expect_error(actor_result(&waiter[1]), TACT_EIDRM);
		expect_priority(&owner, 10);
		expect_error(actor_do(&owner, act_unlock, mutex), TACT_EIDRM);
		expect_error(actor_do(&owner, act_lock, mutex), TACT_EIDRM);
		expect_error(actor_do(&owner, act_consistent, mutex), TACT_EIDRM);
		expect_error(tact_mutex_delete(mutex), TACT_EIDRM);
		expect_error(tact_mutex_inquire(mutex, NULL), TACT_EIDRM);
		actor_end(&owner);
		actor_end(&waiter[0]);
		actor_end(&waiter[1]);
	}
}

static int act_delete(struct actor *actor)
{
	return tact_mutex_delete((tact_mutex_t){actor->object.id});
}

TEST_CPUS(2, owner_may_delete)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		begin(0, cpu);
		actor_start(&waiter[0], 1, 40);
		actor_blocks(&waiter[0], act_lock, mutex);
		expect_ok(actor_do(&owner, act_delete, mutex));
		expect_error(actor_result(&waiter[0]), TACT_EIDRM);
		expect_priority(&owner, 10);
		actor_end(&owner);
		actor_end(&waiter[0]);
	}
}

/* Deletion meets lock, unlock and end of the owner at any point of their way: no memory is lost. */
TEST_CPUS(3, deletion_at_any_moment_leaves_nothing_behind)
{
	struct tact_cpu_info before = {0};
	struct tact_cpu_info after = {0};

	actor_start(&waiter[0], 1, 20);
	actor_start(&waiter[1], 2, 30);
	expect_ok(tact_cpu_inquire(0, &before));
	for (int round = 0; round < 12; round++) {
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
		actor_begin(&waiter[0], act_lock, mutex, TACT_FOREVER);
		if (round % 3 == 2) {
			expect_ok(actor_result(&waiter[0]));
			actor_begin(&waiter[0], act_unlock, mutex, TACT_FOREVER);
		}
		actor_begin(&waiter[1], act_lock, mutex, TACT_FOREVER);
		if (round % 3 == 1)
			tact_compute(1000u << round / 3);
		expect_ok(tact_mutex_delete(mutex));
		for (int i = 0; i < 2; i++) {
			int result = actor_result(&waiter[i]);

			expect_true(result == 0 || result == -TACT_EIDRM);
			expect_error(actor_do(&waiter[i], act_unlock, mutex), TACT_EIDRM);
			expect_priority(&waiter[i], i ? 30 : 20);
		}
	}
	settle();
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.objects, before.objects);
	expect_eq(after.pool_used_bytes, before.pool_used_bytes);
}
