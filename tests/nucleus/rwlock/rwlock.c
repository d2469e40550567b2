/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reader-writer locks: which tasks get in, in which order, and what happens to owners that end. */
#include "actors.h"

static tact_rwlock_t lock;
static struct actor actor[6];

static struct tact_rwlock_info state(void)
{
	struct tact_rwlock_info info = {0};

	expect_ok(tact_rwlock_inquire(lock, &info));
	return info;
}

static void until_waiting(uint32_t readers, uint32_t writers)
{
	for (int i = 0; i < 20000; i++) {
		struct tact_rwlock_info info = state();

		if (info.waiting_readers == readers && info.waiting_writers == writers)
			return;
	}
	test_fail(__FILE__, __LINE__, "waiting: expected %u and %u, actual %u and %u", readers,
		  writers, state().waiting_readers, state().waiting_writers);
}

static void start(uint32_t count, uint32_t cpus)
{
	for (uint32_t i = 0; i < count; i++)
		actor_start(&actor[i], i % cpus, 10 + i);
}

static void share(uint32_t cpus)
{
	expect_ok(tact_rwlock_create("rw", 4, TACT_ON_CPU(cpus - 1), &lock));
	start(4, cpus);
	for (uint32_t i = 0; i < 3; i++)
		expect_ok(actor_do(&actor[i], act_read, lock));
	expect_eq(state().readers, 3);
	actor_begin(&actor[3], act_write, lock, TACT_NOWAIT);
	expect_error(actor_result(&actor[3]), TACT_EAGAIN);
	actor_blocks(&actor[3], act_write, lock);
	for (uint32_t i = 0; i < 3; i++)
		expect_ok(actor_do(&actor[i], act_leave, lock));
	expect_ok(actor_result(&actor[3]));
	expect_same(state().writer, actor[3].task);
	actor_begin(&actor[0], act_read, lock, TACT_NOWAIT);
	expect_error(actor_result(&actor[0]), TACT_EAGAIN);
	actor_blocks(&actor[0], act_read, lock);
	actor_blocks(&actor[1], act_read, lock);
	until_waiting(2, 0);
	expect_ok(actor_do(&actor[3], act_leave, lock));
	expect_ok(actor_result(&actor[0]));
	expect_ok(actor_result(&actor[1]));
	expect_eq(state().readers, 2);
}

TEST(readers_share_and_writers_do_not)
{
	share(1);
}

TEST_CPUS(3, readers_share_and_writers_do_not_over_cpus)
{
	share(3);
}

/* A reader owns; a writer (11), a reader (12), a writer (13) come. In which order are they
 * served? */
static void prefer(uint32_t flags, uint32_t cpus, const char *order)
{
	static const char *const names[4] = {"", "w11", "r12", "w13"};
	uint32_t left = 3;

	expect_ok(tact_rwlock_create(NULL, 4, flags, &lock));
	start(4, cpus);
	expect_ok(actor_do(&actor[0], act_write, lock));
	for (uint32_t i = 1; i < 4; i++) {
		actor[i].name = names[i];
		actor_blocks(&actor[i], i == 2 ? act_read : act_write, lock);
		until_waiting(i > 1, (i + 1) / 2);
	}
	expect_ok(actor_do(&actor[0], act_leave, lock));
	while (left--) {
		struct tact_rwlock_info info = state();

		for (uint32_t i = 1; i < 4; i++) {
			if (info.writer.id ? !tact_same(info.writer, actor[i].task) : i != 2)
				continue;
			expect_ok(actor_result(&actor[i]));
			actor[i].name = NULL;
			expect_ok(actor_do(&actor[i], act_leave, lock));
			break;
		}
	}
	expect_marks(order);
}

TEST(writers_go_first)
{
	prefer(TACT_FIFO, 1, "w11 w13 r12");
}

TEST(readers_go_first_on_request)
{
	prefer(TACT_FIFO | TACT_RWLOCK_READERS, 1, "r12 w11 w13");
}

TEST(fair_order_is_that_of_arrival)
{
	prefer(TACT_FIFO | TACT_RWLOCK_FAIR, 1, "w11 r12 w13");
}

TEST(fair_order_is_that_of_priority)
{
	prefer(TACT_PRIO | TACT_RWLOCK_FAIR, 1, "w13 r12 w11");
}

TEST_CPUS(2, writers_go_first_over_cpus)
{
	prefer(TACT_PRIO | TACT_ON_CPU(1), 2, "w13 w11 r12");
}

/* Owned by a reader while a writer waits: may another reader enter? */
static void enter(uint32_t flags, uint32_t reader, int expected)
{
	expect_ok(tact_rwlock_create(NULL, 4, flags, &lock));
	start(5, 2);
	expect_ok(actor_do(&actor[0], act_read, lock));
	actor_blocks(&actor[2], act_write, lock);
	until_waiting(0, 1);
	actor_begin(&actor[reader], act_read, lock, TACT_NOWAIT);
	expect_eq(actor_result(&actor[reader]), expected);
}

TEST_CPUS(2, reader_stays_behind_a_waiting_writer)
{
	enter(0, 1, -TACT_EAGAIN);
}

TEST_CPUS(2, reader_passes_a_waiting_writer_on_request)
{
	enter(TACT_RWLOCK_READERS, 1, 0);
}

TEST_CPUS(2, fair_reader_stays_behind_a_writer_that_came_before)
{
	enter(TACT_RWLOCK_FAIR, 3, -TACT_EAGAIN);
}

TEST_CPUS(2, fair_reader_of_higher_priority_passes)
{
	enter(TACT_RWLOCK_FAIR | TACT_PRIO, 3, 0);
}

TEST_CPUS(2, writer_that_gives_up_lets_the_readers_in)
{
	expect_ok(tact_rwlock_create(NULL, 4, TACT_ON_CPU(0), &lock));
	start(3, 2);
	expect_ok(actor_do(&actor[0], act_read, lock));
	actor_blocks_for(&actor[1], act_write, lock, TACT_FOREVER);
	until_waiting(0, 1);
	actor_blocks(&actor[2], act_read, lock);
	until_waiting(1, 1);
	expect_ok(tact_task_unblock(actor[1].task, 0));
	expect_error(actor_result(&actor[1]), TACT_ECANCELED);
	expect_ok(actor_result(&actor[2]));
	actor_begin(&actor[1], act_write, lock, tact_in(2 * TEST_MS));
	expect_error(actor_result(&actor[1]), TACT_ETIMEDOUT);
	actor_begin(&actor[1], act_write, lock, tact_at((tact_time_t){1}));
	expect_error(actor_result(&actor[1]), TACT_ETIMEDOUT);
	expect_eq(state().readers, 2);
}

TEST_CPUS(2, readers_beyond_the_number_wait)
{
	expect_ok(tact_rwlock_create(NULL, 2, TACT_ON_CPU(1), &lock));
	start(3, 2);
	expect_ok(actor_do(&actor[0], act_read, lock));
	expect_ok(actor_do(&actor[1], act_read, lock));
	actor_blocks(&actor[2], act_read, lock);
	until_waiting(1, 0);
	expect_ok(actor_do(&actor[0], act_leave, lock));
	expect_ok(actor_result(&actor[2]));
	expect_eq(state().readers, 2);
	expect_eq(state().readers_max, 2);
}

TEST_CPUS(3, writer_inherits_from_its_waiters)
{
	for (uint32_t cpu = 0; cpu < 3; cpu++) {
		expect_ok(tact_rwlock_create(NULL, 2, TACT_ON_CPU(0), &lock));
		actor_start(&actor[0], cpu, 5);
		actor_start(&actor[1], 1, 20);
		actor_start(&actor[2], 2, 30);
		expect_ok(actor_do(&actor[0], act_write, lock));
		actor_blocks(&actor[1], act_read, lock);
		expect_priority(&actor[0], 20);
		actor_blocks(&actor[2], act_write, lock);
		expect_priority(&actor[0], 30);
		expect_ok(tact_task_set_priority(actor[1].task, 40, 0, NULL));
		expect_priority(&actor[0], 40);
		expect_ok(tact_task_unblock(actor[1].task, 0));
		expect_error(actor_result(&actor[1]), TACT_ECANCELED);
		expect_priority(&actor[0], 30);
		expect_ok(actor_do(&actor[0], act_leave, lock));
		expect_priority(&actor[0], 5);
		expect_ok(actor_result(&actor[2]));
		expect_ok(actor_do(&actor[2], act_leave, lock));
		for (int i = 0; i < 3; i++)
			actor_end(&actor[i]);
	}
}

TEST_CPUS(2, reader_that_ends_leaves)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		expect_ok(tact_rwlock_create(NULL, 2, TACT_ON_CPU(0), &lock));
		actor_start(&actor[0], cpu, 5);
		actor_start(&actor[1], 1, 20);
		expect_ok(actor_do(&actor[0], act_read, lock));
		actor_blocks(&actor[1], act_write, lock);
		expect_ok(tact_task_delete(actor[0].task));
		expect_ok(actor_result(&actor[1]));
		expect_eq(state().readers, 0);
		actor_end(&actor[1]);
	}
}

TEST_CPUS(2, writer_that_ends_is_told_until_repaired)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		expect_ok(tact_rwlock_create(NULL, 2, TACT_ON_CPU(0), &lock));
		actor_start(&actor[0], cpu, 5);
		actor_start(&actor[1], 1, 20);
		actor_start(&actor[2], 0, 20);
		expect_ok(actor_do(&actor[0], act_write, lock));
		actor_blocks(&actor[1], act_read, lock);
		expect_ok(tact_task_delete(actor[0].task));
		expect_error(actor_result(&actor[1]), TACT_EOWNERDEAD);
		expect_error(actor_do(&actor[1], act_lock_rwlock_consistent, lock), TACT_EPERM);
		expect_ok(actor_do(&actor[1], act_leave, lock));
		expect_error(actor_do(&actor[1], act_write, lock), TACT_EOWNERDEAD);
		expect_ok(actor_do(&actor[1], act_leave, lock));
		expect_error(actor_do(&actor[2], act_write, lock), TACT_EOWNERDEAD);
		expect_eq(state().inconsistent, 1);
		expect_ok(actor_do(&actor[2], act_lock_rwlock_consistent, lock));
		expect_error(actor_do(&actor[2], act_lock_rwlock_consistent, lock), TACT_ESRCH);
		expect_ok(actor_do(&actor[2], act_leave, lock));
		expect_ok(actor_do(&actor[1], act_read, lock));
		actor_end(&actor[1]);
		actor_end(&actor[2]);
	}
}

TEST_CPUS(3, deletion_tells_waiters_and_owners)
{
	struct tact_cpu_info before = {0};
	struct tact_cpu_info after = {0};

	start(4, 3);
	expect_ok(tact_cpu_inquire(0, &before));
	for (int write = 0; write < 2; write++) {
		expect_ok(tact_rwlock_create(NULL, 3, TACT_ON_CPU(0), &lock));
		expect_ok(actor_do(&actor[1], write ? act_write : act_read, lock));
		if (!write) {
			expect_ok(actor_do(&actor[0], act_read, lock));
			expect_ok(actor_do(&actor[2], act_read, lock));
		}
		actor_blocks(&actor[3], act_write, lock);
		expect_ok(tact_rwlock_delete(lock));
		expect_error(actor_result(&actor[3]), TACT_EIDRM);
		for (uint32_t i = 0; i < 3; i++)
			expect_error(actor_do(&actor[i], act_leave, lock), TACT_EIDRM);
		expect_priority(&actor[1], 11);
		expect_error(tact_rwlock_delete(lock), TACT_EIDRM);
		expect_error(tact_rwlock_inquire(lock, NULL), TACT_EIDRM);
	}
	settle();
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.objects, before.objects);
	expect_eq(after.pool_used_bytes, before.pool_used_bytes);
}

TASK_TEST_CPUS(2, owner_that_wants_it_again_is_refused)
{
	for (uint32_t cpu = 0; cpu < 2; cpu++) {
		expect_ok(tact_rwlock_create(NULL, 2, TACT_ON_CPU(cpu), &lock));
		expect_error(tact_rwlock_unlock(lock), TACT_EPERM);
		expect_error(tact_rwlock_consistent(lock), TACT_EPERM);
		for (int i = 0; i < 2; i++) {
			expect_ok(i ? tact_rwlock_read(lock, TACT_FOREVER)
				    : tact_rwlock_write(lock, TACT_FOREVER));
			expect_error(tact_rwlock_read(lock, TACT_NOWAIT), TACT_EDEADLK);
			expect_error(tact_rwlock_write(lock, TACT_FOREVER), TACT_EDEADLK);
			expect_ok(tact_rwlock_unlock(lock));
		}
		expect_error(tact_rwlock_unlock(lock), TACT_EPERM);
	}
}

TASK_TEST(arguments_are_checked)
{
	expect_error(tact_rwlock_create(NULL, 0, 0, &lock), TACT_EINVAL);
	expect_error(tact_rwlock_create(NULL, TACT_RWLOCK_READERS_MAX + 1, 0, &lock), TACT_EINVAL);
	expect_error(tact_rwlock_create(NULL, 1, 0x10, &lock), TACT_EINVAL);
	expect_error(tact_rwlock_create(NULL, 1, TACT_RWLOCK_FAIR | TACT_RWLOCK_READERS, &lock),
		     TACT_EINVAL);
	expect_error(tact_rwlock_create("", 1, 0, &lock), TACT_EINVAL);
	expect_error(tact_rwlock_create(NULL, 1, TACT_ON_CPU(1), &lock), TACT_ENXIO);
	expect_ok(tact_rwlock_create("taken", 1, 0, &lock));
	expect_error(tact_rwlock_create("taken", 1, 0, NULL), TACT_EEXIST);
	expect_str(state().name, "taken");
	expect_error(tact_rwlock_read(lock, ((tact_timeout_t){0, 5})), TACT_EINVAL);
	expect_error(tact_rwlock_read((tact_rwlock_t){tact_task_self().id}, TACT_NOWAIT),
		     TACT_EBADF);
	expect_error(tact_rwlock_write((tact_rwlock_t){0}, TACT_NOWAIT), TACT_EBADF);
	expect_error(tact_rwlock_unlock((tact_rwlock_t){0x12345}), TACT_EBADF);
	expect_error(tact_rwlock_consistent((tact_rwlock_t){0x12345}), TACT_EBADF);
	expect_error(tact_rwlock_delete((tact_rwlock_t){0x12345}), TACT_EBADF);
}

TEST(linux_thread_cannot_own)
{
	expect_ok(tact_rwlock_create(NULL, 1, 0, &lock));
	expect_error(tact_rwlock_read(lock, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_rwlock_write(lock, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_rwlock_unlock(lock), TACT_EPERM);
}

static void in_handler(void *arg)
{
	(void)arg;
	expect_error(tact_rwlock_read(lock, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_rwlock_write(lock, TACT_NOWAIT), TACT_EPERM);
	expect_error(tact_rwlock_unlock(lock), TACT_EPERM);
	expect_ok(tact_rwlock_inquire(lock, NULL));
}

TEST(handler_may_only_inquire)
{
	expect_ok(tact_rwlock_create(NULL, 1, 0, &lock));
	test_in_handler(in_handler, NULL);
}
