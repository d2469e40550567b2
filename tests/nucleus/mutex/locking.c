/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Locking and unlocking: ownership, depth, order of service, timeouts. */
#include "actors.h"

static tact_mutex_t mutex;

TASK_TEST(owner_is_known_while_it_owns)
{
	struct tact_mutex_info info = {0};

	expect_ok(tact_mutex_create("m", TACT_PRIO, 0, &mutex));
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_str(info.name, "m");
	expect_same(info.owner, tact_task_self());
	expect_eq(info.depth, 1);
	expect_eq(info.waiters, 0);
	expect_eq(info.ceiling, 0);
	expect_eq(info.flags, TACT_PRIO);
	expect_eq(info.state, TACT_MUTEX_CONSISTENT);
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_none(info.owner);
	expect_eq(info.depth, 0);
	expect_ok(tact_mutex_inquire(mutex, NULL));
}

LIGHT_TEST(light_task_owns_as_well)
{
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	expect_ok(tact_mutex_unlock(mutex));
}

static void nest(void)
{
	struct tact_mutex_info info = {0};

	for (int i = 0; i < 3; i++)
		expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_eq(info.depth, 3);
	for (int i = 0; i < 3; i++) {
		expect_ok(tact_mutex_inquire(mutex, &info));
		expect_same(info.owner, tact_task_self());
		expect_ok(tact_mutex_unlock(mutex));
	}
	expect_error(tact_mutex_unlock(mutex), TACT_EPERM);
	for (uint32_t i = 0; i < TACT_MUTEX_DEPTH_MAX; i++)
		expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	expect_error(tact_mutex_lock(mutex, TACT_NOWAIT), TACT_EOVERFLOW);
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_eq(info.depth, TACT_MUTEX_DEPTH_MAX);
}

TASK_TEST(recursive_mutex_counts)
{
	expect_ok(tact_mutex_create(NULL, TACT_MUTEX_RECURSIVE, 0, &mutex));
	nest();
}

TASK_TEST_CPUS(2, recursive_mutex_counts_from_afar)
{
	expect_ok(tact_mutex_create(NULL, TACT_MUTEX_RECURSIVE | TACT_ON_CPU(1), 0, &mutex));
	nest();
}

static void relock(void)
{
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	expect_error(tact_mutex_lock(mutex, TACT_FOREVER), TACT_EDEADLK);
	expect_error(tact_mutex_lock(mutex, TACT_NOWAIT), TACT_EDEADLK);
	expect_ok(tact_mutex_unlock(mutex));
}

TASK_TEST(relock_is_a_deadlock)
{
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	relock();
}

TASK_TEST_CPUS(2, relock_from_afar_is_a_deadlock)
{
	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(1), 0, &mutex));
	relock();
}

/* Three waiters of different priorities on the given CPUs are served in the named order. */
static void serve(uint32_t flags, uint32_t cpus, const char *order)
{
	static struct actor owner;
	static struct actor waiter[3];
	static const char *const names[3] = {"low", "high", "middle"};
	static const uint32_t priorities[3] = {10, 30, 20};

	expect_ok(tact_mutex_create(NULL, flags, 0, &mutex));
	actor_start(&owner, 0, 5);
	expect_ok(actor_do(&owner, act_lock, mutex));
	for (uint32_t i = 0; i < 3; i++) {
		actor_start(&waiter[i], i % cpus, priorities[i]);
		waiter[i].name = names[i];
		actor_blocks(&waiter[i], act_lock, mutex);
		until_waiters(mutex, i + 1);
	}
	expect_ok(actor_do(&owner, act_unlock, mutex));
	for (int served = 0; served < 3; served++) {
		struct tact_mutex_info info = {0};
		struct actor *now = NULL;

		/* Handed over directly: there is an owner at once. */
		expect_ok(tact_mutex_inquire(mutex, &info));
		for (int i = 0; i < 3; i++)
			if (tact_same(waiter[i].task, info.owner))
				now = &waiter[i];
		expect_true(now != NULL);
		expect_ok(actor_result(now));
		now->name = NULL;
		expect_eq(info.waiters, 2 - served);
		expect_ok(actor_do(now, act_unlock, mutex));
	}
	expect_marks(order);
}

TEST(waiters_are_served_by_priority)
{
	serve(TACT_PRIO, 1, "high middle low");
}

TEST(waiters_are_served_in_order_of_arrival)
{
	serve(TACT_FIFO, 1, "low high middle");
}

TEST_CPUS(2, waiters_of_both_cpus_are_served_by_priority)
{
	serve(TACT_PRIO | TACT_ON_CPU(1), 2, "high middle low");
}

TEST_CPUS(3, waiters_of_three_cpus_are_served_in_order_of_arrival)
{
	serve(TACT_FIFO | TACT_ON_CPU(2), 3, "low high middle");
}

static void time_out(uint32_t cpu)
{
	static struct actor owner;
	static struct actor waiter;
	tact_time_t before = tact_now();

	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
	actor_start(&owner, 0, 5);
	actor_start(&waiter, cpu, 10);
	expect_ok(actor_do(&owner, act_lock, mutex));
	actor_begin(&waiter, act_lock, mutex, TACT_NOWAIT);
	expect_error(actor_result(&waiter), TACT_EAGAIN);
	actor_begin(&waiter, act_lock, mutex, tact_in(2 * TEST_MS));
	expect_error(actor_result(&waiter), TACT_ETIMEDOUT);
	expect_true(tact_now().ns >= before.ns + 2 * TEST_MS);
	actor_begin(&waiter, act_lock, mutex, tact_at(tact_time_add(tact_now(), TEST_MS)));
	expect_error(actor_result(&waiter), TACT_ETIMEDOUT);
	actor_begin(&waiter, act_lock, mutex, tact_at((tact_time_t){1}));
	expect_error(actor_result(&waiter), TACT_ETIMEDOUT);
	actor_begin(&waiter, act_lock, mutex,
		    tact_at_wall(tact_time_add(tact_wall_now(), TEST_MS)));
	expect_error(actor_result(&waiter), TACT_ETIMEDOUT);
	expect_ok(actor_do(&owner, act_unlock, mutex));
	actor_begin(&waiter, act_lock, mutex, TACT_NOWAIT);
	expect_ok(actor_result(&waiter));
	expect_ok(actor_do(&waiter, act_unlock, mutex));
}

TEST(wait_times_out)
{
	time_out(0);
}

TEST_CPUS(2, wait_from_afar_times_out)
{
	time_out(1);
}

TEST_CPUS(2, unblock_breaks_the_wait)
{
	static struct actor owner;
	static struct actor waiter;

	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
	actor_start(&owner, 0, 5);
	expect_ok(actor_do(&owner, act_lock, mutex));
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		actor_start(&waiter, cpu, 10);
		actor_blocks(&waiter, act_lock, mutex);
		expect_ok(tact_task_unblock(waiter.task, 0));
		expect_error(actor_result(&waiter), TACT_ECANCELED);
		actor_end(&waiter);
	}
	expect_ok(actor_do(&owner, act_unlock, mutex));
}

TEST_CPUS(2, mutual_exclusion_holds)
{
	static struct actor actor[4];
	static int inside;
	static int rounds;

	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
	for (uint32_t i = 0; i < 4; i++)
		actor_start(&actor[i], i % 2, 10 + i);
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 4; i++)
			actor_begin(&actor[i], act_lock, mutex, TEST_LONG);
		for (int i = 0; i < 4; i++) {
			struct tact_mutex_info info = {0};

			expect_eq(inside++, 0);
			do
				expect_ok(tact_mutex_inquire(mutex, &info));
			while (!info.owner.id);
			for (int k = 0; k < 4; k++) {
				if (!tact_same(actor[k].task, info.owner))
					continue;
				expect_ok(actor_result(&actor[k]));
				rounds++;
				inside--;
				expect_ok(actor_do(&actor[k], act_unlock, mutex));
				break;
			}
		}
	}
	expect_eq(rounds, 20);
}

TEST_CPUS(3, owner_migrates_with_its_mutexes)
{
	static struct actor owner;
	static struct actor waiter;
	tact_mutex_t second;

	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &mutex));
	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(1), 0, &second));
	actor_start(&owner, 0, 5);
	actor_start(&waiter, 1, 30);
	expect_ok(actor_do(&owner, act_lock, mutex));
	expect_ok(actor_do(&owner, act_lock, second));
	expect_ok(tact_task_migrate(owner.task, 2));
	actor_blocks(&waiter, act_lock, mutex);
	expect_priority(&owner, 30);
	expect_ok(tact_task_migrate(owner.task, 1));
	expect_ok(tact_task_migrate(waiter.task, 2));
	expect_priority(&owner, 30);
	expect_ok(actor_do(&owner, act_unlock, mutex));
	expect_priority(&owner, 5);
	expect_ok(actor_result(&waiter));
	expect_ok(actor_do(&waiter, act_unlock, mutex));
	expect_ok(actor_do(&owner, act_unlock, second));
}
