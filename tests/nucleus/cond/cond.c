/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Conditions: release and wait in one step, the mutex back whatever ends the wait. */
#include "actors.h"

static tact_cond_t cond;
static tact_mutex_t mutex;
static struct actor actor[4];

static void create(uint32_t home, uint32_t cond_flags, uint32_t mutex_flags)
{
	expect_ok(tact_cond_create("c", cond_flags | TACT_ON_CPU(home), &cond));
	expect_ok(tact_mutex_create(NULL, mutex_flags | TACT_ON_CPU(home), 0, &mutex));
}

static uint32_t waiters(void)
{
	struct tact_cond_info info = {0};

	expect_ok(tact_cond_inquire(cond, &info));
	return info.waiters;
}

/* Actor i owns the mutex once and then waits on the condition. */
static void start_waiting(uint32_t i, tact_timeout_t timeout)
{
	uint32_t before = waiters();

	expect_ok(actor_do(&actor[i], act_lock, mutex));
	actor[i].second = mutex;
	actor_blocks_for(&actor[i], act_wait, cond, timeout);
	while (waiters() == before)
		continue;
}

static void expect_owner(tact_task_t owner)
{
	struct tact_mutex_info info = {0};

	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_same(info.owner, owner);
}

static void signalled_in_order(uint32_t flags, uint32_t cpus, const char *order)
{
	static const char *const names[3] = {"low", "high", "middle"};
	static const uint32_t priorities[3] = {10, 30, 20};

	create(cpus - 1, flags, 0);
	for (uint32_t i = 0; i < 3; i++) {
		actor_start(&actor[i], i % cpus, priorities[i]);
		start_waiting(i, TEST_LONG);
		actor[i].name = names[i];
	}
	for (uint32_t n = 3; n--;) {
		struct tact_mutex_info info = {0};

		expect_ok(tact_cond_signal(cond));
		expect_eq(waiters(), n);
		expect_ok(tact_mutex_inquire(mutex, &info));
		for (int i = 0; i < 3; i++) {
			if (!tact_same(actor[i].task, info.owner))
				continue;
			expect_ok(actor_result(&actor[i]));
			actor[i].name = NULL;
			expect_ok(actor_do(&actor[i], act_unlock, mutex));
		}
	}
	expect_marks(order);
	expect_ok(tact_cond_signal(cond));
}

TEST(signals_release_by_priority)
{
	signalled_in_order(TACT_PRIO, 1, "high middle low");
}

TEST(signals_release_in_order_of_arrival)
{
	signalled_in_order(TACT_FIFO, 1, "low high middle");
}

TEST_CPUS(3, signals_release_by_priority_over_cpus)
{
	signalled_in_order(TACT_PRIO, 3, "high middle low");
}

/* Released waiters wait for the mutex, and boost its owner from there. */
TEST_CPUS(2, broadcast_moves_all_to_the_mutex)
{
	struct tact_mutex_info info = {0};

	create(0, TACT_PRIO, TACT_PRIO);
	for (uint32_t i = 0; i < 3; i++) {
		actor_start(&actor[i], i % 2, 20 + 10 * i);
		start_waiting(i, TEST_LONG);
	}
	actor_start(&actor[3], 1, 5);
	expect_ok(actor_do(&actor[3], act_lock, mutex));
	expect_eq(tact_cond_broadcast(cond), 3);
	expect_eq(waiters(), 0);
	until_waiters(mutex, 3);
	expect_priority(&actor[3], 40);
	expect_ok(actor_do(&actor[3], act_unlock, mutex));
	expect_priority(&actor[3], 5);
	for (uint32_t i = 3; i--;) {
		expect_ok(actor_result(&actor[i]));
		expect_owner(actor[i].task);
		expect_ok(actor_do(&actor[i], act_unlock, mutex));
		expect_priority(&actor[i], 20 + 10 * i);
	}
	expect_ok(tact_mutex_inquire(mutex, &info));
	expect_none(info.owner);
	expect_eq(tact_cond_broadcast(cond), 0);
}

TEST_CPUS(2, mutex_is_back_after_timeout_unblock_and_deletion)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		tact_time_t before = tact_now();

		create(0, 0, 0);
		actor_start(&actor[0], cpu, 10);
		start_waiting(0, tact_in(30 * TEST_MS));
		expect_error(actor_result(&actor[0]), TACT_ETIMEDOUT);
		expect_true(tact_now().ns >= before.ns + 30 * TEST_MS);
		expect_owner(actor[0].task);
		expect_ok(actor_do(&actor[0], act_unlock, mutex));

		start_waiting(0, TACT_FOREVER);
		expect_ok(tact_task_unblock(actor[0].task, 0));
		expect_error(actor_result(&actor[0]), TACT_ECANCELED);
		expect_owner(actor[0].task);
		expect_ok(actor_do(&actor[0], act_unlock, mutex));

		start_waiting(0, TACT_FOREVER);
		expect_ok(tact_cond_delete(cond));
		expect_error(actor_result(&actor[0]), TACT_EIDRM);
		expect_owner(actor[0].task);
		expect_ok(actor_do(&actor[0], act_unlock, mutex));
		expect_error(actor_do(&actor[0], act_wait, cond), TACT_EIDRM);
		actor_end(&actor[0]);
	}
}

/* After its timeout a waiter stays until the mutex is free. */
TEST_CPUS(2, timed_out_waiter_waits_for_the_mutex)
{
	create(0, 0, 0);
	actor_start(&actor[0], 1, 30);
	actor_start(&actor[1], 0, 10);
	start_waiting(0, tact_in(30 * TEST_MS));
	expect_ok(actor_do(&actor[1], act_lock, mutex));
	until_waiters(mutex, 1);
	expect_priority(&actor[1], 30);
	/* Not to be broken out of: the mutex comes first. */
	(void)tact_task_unblock(actor[0].task, 0);
	until_waiters(mutex, 1);
	expect_ok(actor_do(&actor[1], act_unlock, mutex));
	expect_error(actor_result(&actor[0]), TACT_ETIMEDOUT);
	expect_owner(actor[0].task);
	expect_priority(&actor[1], 10);
}

/* A signal that was given is not undone by what breaks in while the mutex is awaited. */
TEST_CPUS(2, signal_is_not_lost_to_an_unblock)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		create(0, 0, 0);
		actor_start(&actor[0], cpu, 30);
		actor_start(&actor[1], 0, 10);
		start_waiting(0, TEST_LONG);
		expect_ok(actor_do(&actor[1], act_lock, mutex));
		expect_ok(tact_cond_signal(cond));
		until_waiters(mutex, 1);
		expect_ok(tact_task_unblock(actor[0].task, 0));
		expect_ok(actor_do(&actor[1], act_unlock, mutex));
		expect_ok(actor_result(&actor[0]));
		expect_owner(actor[0].task);
		expect_ok(tact_cond_delete(cond));
		actor_end(&actor[0]);
	}
}

TEST_CPUS(2, depth_of_a_recursive_mutex_comes_back)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		for (int timed = 0; timed < 2; timed++) {
			struct tact_mutex_info info = {0};

			create(0, 0, TACT_MUTEX_RECURSIVE);
			actor_start(&actor[0], cpu, 10);
			for (int i = 0; i < 2; i++)
				expect_ok(actor_do(&actor[0], act_lock, mutex));
			start_waiting(0, timed ? tact_in(20 * TEST_MS) : TEST_LONG);
			expect_owner((tact_task_t){0});
			if (!timed)
				expect_ok(tact_cond_signal(cond));
			expect_eq(actor_result(&actor[0]), timed ? -TACT_ETIMEDOUT : 0);
			expect_ok(tact_mutex_inquire(mutex, &info));
			expect_eq(info.depth, 3);
			for (int i = 0; i < 3; i++)
				expect_ok(actor_do(&actor[0], act_unlock, mutex));
			expect_owner((tact_task_t){0});
			expect_ok(tact_cond_delete(cond));
			actor_end(&actor[0]);
		}
	}
}

TEST_CPUS(2, trouble_of_the_mutex_is_passed_on)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		create(0, 0, 0);
		for (uint32_t i = 0; i < 3; i++) {
			actor_start(&actor[i], i ? cpu : 1 - cpu, 10);
			if (i)
				start_waiting(i, TEST_LONG);
		}
		expect_ok(actor_do(&actor[0], act_lock, mutex));
		expect_eq(tact_cond_broadcast(cond), 2);
		expect_ok(tact_task_delete(actor[0].task));
		expect_error(actor_result(&actor[1]), TACT_EOWNERDEAD);
		expect_owner(actor[1].task);
		expect_ok(actor_do(&actor[1], act_unlock, mutex));
		expect_error(actor_result(&actor[2]), TACT_ENOTRECOVERABLE);
		expect_ok(tact_cond_delete(cond));
		actor_end(&actor[1]);
		actor_end(&actor[2]);
	}
}

TEST_CPUS(2, deleted_mutex_is_told)
{
	create(0, 0, 0);
	for (uint32_t i = 0; i < 2; i++) {
		actor_start(&actor[i], i, 10);
		start_waiting(i, TEST_LONG);
	}
	expect_ok(tact_mutex_delete(mutex));
	expect_eq(tact_cond_broadcast(cond), 2);
	expect_error(actor_result(&actor[0]), TACT_EIDRM);
	expect_error(actor_result(&actor[1]), TACT_EIDRM);
}

TEST_CPUS(2, waiter_that_ends_is_forgotten)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		create(0, 0, 0);
		actor_start(&actor[0], cpu, 10);
		start_waiting(0, TEST_LONG);
		expect_ok(tact_task_delete(actor[0].task));
		while (waiters())
			continue;
		expect_ok(tact_cond_signal(cond));
		expect_owner((tact_task_t){0});
		expect_ok(tact_cond_delete(cond));
	}
}

/* A task that was let in once returns, whatever its priority is now. */
TEST_CPUS(2, ceiling_does_not_keep_the_mutex_from_who_comes_back)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		expect_ok(tact_cond_create(NULL, TACT_ON_CPU(0), &cond));
		expect_ok(tact_mutex_create(NULL, TACT_MUTEX_CEILING | TACT_ON_CPU(0), 20, &mutex));
		actor_start(&actor[0], cpu, 10);
		start_waiting(0, tact_in(30 * TEST_MS));
		expect_ok(tact_task_set_priority(actor[0].task, 30, 0, NULL));
		expect_error(actor_result(&actor[0]), TACT_ETIMEDOUT);
		expect_owner(actor[0].task);
		expect_ok(actor_do(&actor[0], act_unlock, mutex));
		expect_error(actor_do(&actor[0], act_lock, mutex), TACT_EINVAL);
		actor_end(&actor[0]);
	}
}

TEST_CPUS(2, wait_checks_its_arguments)
{
	tact_mutex_t other;
	tact_mutex_t far;

	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		create(0, 0, 0);
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(0), 0, &other));
		expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(1), 0, &far));
		actor_start(&actor[0], cpu, 10);
		actor_start(&actor[1], 0, 20);
		actor[0].second = mutex;
		expect_error(actor_do(&actor[0], act_wait, cond), TACT_EPERM);
		expect_ok(actor_do(&actor[0], act_lock, mutex));
		expect_error(actor_do(&actor[0], act_wait, mutex), TACT_EBADF);
		expect_error(actor_do(&actor[0], act_wait, TACT_NONE), TACT_EBADF);
		actor_begin(&actor[0], act_wait, cond, TACT_NOWAIT);
		expect_error(actor_result(&actor[0]), TACT_EAGAIN);
		actor_begin(&actor[0], act_wait, cond, tact_at((tact_time_t){1}));
		expect_error(actor_result(&actor[0]), TACT_ETIMEDOUT);
		actor_begin(&actor[0], act_wait, cond, tact_timeout_make(0, 5));
		expect_error(actor_result(&actor[0]), TACT_EINVAL);
		actor[0].second = (tact_mutex_t){cond.id};
		expect_error(actor_do(&actor[0], act_wait, cond), TACT_EBADF);
		actor[0].second = far;
		expect_ok(actor_do(&actor[0], act_lock, far));
		expect_error(actor_do(&actor[0], act_wait, cond), TACT_EINVAL);
		expect_ok(actor_do(&actor[0], act_unlock, far));
		/* All refused: it still owns what it owned. */
		expect_owner(actor[0].task);
		expect_ok(actor_do(&actor[0], act_unlock, mutex));

		start_waiting(1, TEST_LONG);
		expect_ok(actor_do(&actor[0], act_lock, other));
		actor[0].second = other;
		expect_error(actor_do(&actor[0], act_wait, cond), TACT_EINVAL);
		expect_ok(actor_do(&actor[0], act_unlock, other));
		expect_ok(tact_cond_delete(cond));
		expect_error(actor_result(&actor[1]), TACT_EIDRM);
		actor_end(&actor[0]);
		actor_end(&actor[1]);
	}
}

TEST(creation_checks_its_arguments)
{
	expect_error(tact_cond_create(NULL, 0x10, &cond), TACT_EINVAL);
	expect_error(tact_cond_create("", 0, &cond), TACT_EINVAL);
	expect_error(tact_cond_create(NULL, TACT_ON_CPU(1), &cond), TACT_ENXIO);
	expect_ok(tact_cond_create("taken", 0, NULL));
	expect_error(tact_cond_create("taken", 0, &cond), TACT_EEXIST);
	expect_error(tact_cond_signal((tact_cond_t){0x12345}), TACT_EBADF);
	expect_error(tact_cond_broadcast((tact_cond_t){0x12345}), TACT_EBADF);
	expect_error(tact_cond_delete((tact_cond_t){0x12345}), TACT_EBADF);
	expect_error(tact_cond_inquire((tact_cond_t){0x12345}, NULL), TACT_EBADF);
}

TEST(inquiry_tells_all)
{
	struct tact_cond_info info = {0};

	create(0, 0, 0);
	expect_ok(tact_cond_inquire(cond, &info));
	expect_str(info.name, "c");
	expect_eq(info.waiters, 0);
	expect_none(info.mutex);
	actor_start(&actor[0], 0, 10);
	start_waiting(0, TEST_LONG);
	expect_ok(tact_cond_inquire(cond, &info));
	expect_eq(info.waiters, 1);
	expect_same(info.mutex, mutex);
	expect_ok(tact_cond_delete(cond));
	expect_error(tact_cond_signal(cond), TACT_EIDRM);
	expect_error(actor_result(&actor[0]), TACT_EIDRM);
}

TEST(linux_thread_signals_but_cannot_wait)
{
	create(0, 0, 0);
	expect_error(tact_cond_wait(cond, mutex, TEST_LONG), TACT_EPERM);
	expect_ok(tact_cond_signal(cond));
}

static void in_handler(void *arg)
{
	(void)arg;
	expect_error(tact_cond_wait(cond, mutex, TEST_LONG), TACT_EPERM);
	expect_error(tact_cond_delete(cond), TACT_EPERM);
	expect_ok(tact_cond_signal(cond));
}

TEST_CPUS(2, handler_signals)
{
	for (uint32_t home = 0; home < 2; home++) {
		create(home, 0, 0);
		actor_start(&actor[0], 1, 10);
		start_waiting(0, TEST_LONG);
		test_in_handler(in_handler, NULL);
		expect_ok(actor_result(&actor[0]));
		expect_ok(tact_cond_delete(cond));
	}
}
