/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Weak tasks run when no other task does, and go back to Linux after each call. */
#include "test.h"

#include <tactus/mutex.h>

static tact_sem_t sem;
static int modes[6];

static tact_task_t spawn(uint32_t flags, void (*entry)(void *), void *arg)
{
	const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};
	struct tact_task_attr attr = {.priority = 99, .flags = flags, .sched = &weak};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, entry, arg, &task));
	return task;
}

static void mark_it(void *arg)
{
	mark(arg);
}

static void watch_modes(void *arg)
{
	(void)arg;
	modes[0] = tact_mode();
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	modes[1] = tact_mode();
	expect_ok(tact_sem_post(sem));
	modes[2] = tact_mode();
	expect_ok(tact_task_lock_scheduler());
	modes[3] = tact_mode();
	expect_ok(tact_task_unlock_scheduler());
	modes[4] = tact_mode();
	expect_ok(tact_task_set_sched(TACT_SELF,
				      &(struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}));
	modes[5] = tact_mode();
}

TEST(weak_task_goes_back_after_each_call)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	task = spawn(TACT_ON_CPU(0), watch_modes, NULL);
	test_join(task);
	expect_eq(modes[0], TACT_MODE_SECONDARY);
	expect_eq(modes[1], TACT_MODE_SECONDARY);
	expect_eq(modes[2], TACT_MODE_SECONDARY);
	expect_eq(modes[3], TACT_MODE_PRIMARY);
	expect_eq(modes[4], TACT_MODE_SECONDARY);
	expect_eq(modes[5], TACT_MODE_PRIMARY);
}

TASK_TEST(weak_light_task_runs_when_nothing_else_does)
{
	struct tact_task_info info = {0};
	tact_task_t weak;
	tact_task_t low;

	/* The stack of a light task comes from Linux, unless it is made there. */
	expect_ok(tact_task_relax());
	weak = spawn(TACT_TASK_LIGHT | TACT_TASK_SUSPENDED, mark_it, "weak");
	expect_ok(tact_task_relax());
	low = test_spawn(1, mark_it, "low");
	expect_ok(tact_task_resume(weak));
	expect_ok(tact_task_inquire(weak, &info));
	expect_eq(info.priority, 0);
	expect_eq(info.base_priority, 99);
	test_join(weak);
	test_join(low);
	expect_marks("low weak");
}

static void stay(void *arg)
{
	(void)arg;
	expect_ok(tact_sem_wait(sem, TEST_LONG));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
}

TASK_TEST(weak_task_that_may_not_go_to_linux_stays)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 1, 1, 0, &sem));
	task = spawn(TACT_TASK_NO_LINUX, stay, NULL);
	test_join(task);
}

static void lock_and_unlock(void *arg)
{
	const tact_mutex_t *mutex = arg;

	expect_ok(tact_mutex_lock(mutex[0], TEST_LONG));
	modes[0] = tact_mode();
	expect_ok(tact_mutex_lock(mutex[1], TEST_LONG));
	expect_ok(tact_mutex_unlock(mutex[0]));
	modes[1] = tact_mode();
	expect_ok(tact_mutex_unlock(mutex[1]));
	modes[2] = tact_mode();
}

TEST(weak_task_goes_back_when_it_owns_no_mutex_any_more)
{
	tact_mutex_t mutex[2];

	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex[0]));
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex[1]));
	test_join(spawn(TACT_ON_CPU(0), lock_and_unlock, mutex));
	expect_eq(modes[0], TACT_MODE_PRIMARY);
	expect_eq(modes[1], TACT_MODE_PRIMARY);
	expect_eq(modes[2], TACT_MODE_SECONDARY);
}
