/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls on tasks: on one of thousands of waiters or of ready tasks, or on one that thousands join.
 */
#include "walk.h"

#include <tactus/skin.h>

static const struct tact_task_attr light = {
	.priority = 30, .flags = TACT_TASK_LIGHT, .stack_bytes = 16384};

static tact_sem_t sem;
static tact_task_t task;
static tact_task_t late;
static volatile bool go_on;

static void wait_sem(void *unused)
{
	(void)unused;
	while (tact_sem_wait(sem, tact_in(100000000 * TEST_MS)) != -TACT_EIDRM)
		;
}

static void on_end(tact_task_t ended, uint64_t data, uint32_t faulted)
{
	(void)ended;
	(void)data;
	(void)faulted;
}

static void serve(uint64_t requests, void *unused)
{
	(void)requests;
	(void)unused;
}

/* One of 5 000 tasks that wait by priority, each with a timeout. */
static void waiting_tasks(void *unused)
{
	const struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF,
					     .deadline_ns = 1000 * TEST_MS};
	const struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR,
					    .quantum_ns = 100 * TEST_MS};
	const struct tact_routine routine = {.run = serve, .at_switch = 2};
	struct tact_routine_info routine_info = {0};
	struct tact_task_attr roomy = light;
	struct tact_sched_param param = {0};
	struct tact_task_info info = {0};
	uint32_t base, effective;
	uintptr_t frames[TACT_FRAMES_MAX];
	uint64_t data;
	tact_sem_t unused_sem;

	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	walk_spawn(wait_sem, WAITERS);
	/* It gets a routine. */
	roomy.stack_bytes = 0;
	COUNT("tact_task_create", tact_task_create(&roomy, &task));
	COUNT("tact_task_start", tact_task_start(task, wait_sem, NULL));
	COUNT("tact_task_set_priority", tact_task_set_priority(task, 1, 0, NULL));
	COUNT("tact_task_set_priority ahead",
	      tact_task_set_priority(task, 210, TACT_PRIORITY_AHEAD, NULL));
	COUNT("tact_task_set_sched", tact_task_set_sched(task, &edf));
	COUNT("tact_task_get_sched", tact_task_get_sched(task, &param));
	expect_ok(tact_task_set_sched(task, &rr));
	COUNT("tact_task_set_quantum", tact_task_set_quantum(task, 50 * TEST_MS));
	COUNT("tact_task_set_periodic",
	      tact_task_set_periodic(task, tact_time_add(tact_now(), TEST_MS), 100 * TEST_MS));
	COUNT("tact_task_set_flags", tact_task_set_flags(task, TACT_TASK_WARN, 0));
	COUNT("tact_task_suspend", tact_task_suspend(task));
	COUNT("tact_task_resume", tact_task_resume(task));
	COUNT("tact_task_suspend_once", tact_task_suspend_once(task));
	COUNT("tact_task_resume_all", tact_task_resume_all(task));
	COUNT("tact_task_set_data", tact_task_set_data(task, 1));
	COUNT("tact_task_get_data", tact_task_get_data(task, &data));
	COUNT_VALUE("tact_task_data", tact_task_data());
	COUNT("tact_task_on_end", tact_task_on_end(task, on_end));
	COUNT_VALUE("tact_task_backtrace", tact_task_backtrace(task, frames, TACT_FRAMES_MAX));
	COUNT("tact_task_inquire", tact_task_inquire(task, &info));
	COUNT("tact_task_get_priority", tact_task_get_priority(task, &base, &effective));
	COUNT("tact_task_set_routine", tact_task_set_routine(task, &routine));
	COUNT("tact_task_request", tact_task_request(task, 1));
	COUNT("tact_task_inquire_routine", tact_task_inquire_routine(task, &routine_info));
	COUNT("tact_task_restart", tact_task_restart(task, NULL));
	COUNT("tact_task_unblock", tact_task_unblock(task, 0));
	COUNT("tact_task_delete", tact_task_delete(task));
	COUNT("tact_task_spawn", tact_task_spawn(&light, wait_sem, NULL, &task));
	COUNT("tact_delete", tact_delete(tact_object(task)));
	COUNT_ERROR("tact_sem_wait", TACT_ETIMEDOUT, tact_sem_wait(sem, tact_in(TEST_MS)));
	COUNT("tact_task_sleep", tact_task_sleep(TEST_MS));
	COUNT("tact_task_sleep_until", tact_task_sleep_until(tact_in(TEST_MS)));
	expect_ok(tact_task_set_periodic(TACT_SELF, tact_time_add(tact_now(), TEST_MS), TEST_MS));
	COUNT("tact_task_wait_period", tact_task_wait_period(NULL, NULL));
	expect_ok(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, 0));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &unused_sem));
	COUNT("tact_sem_reset", tact_sem_reset(unused_sem, 1));
	COUNT("tact_sem_delete, 5000 with timeouts", tact_sem_delete(sem));
}

static void yield_on(void *unused)
{
	(void)unused;
	while (go_on) {
		tact_compute(10000);
		(void)tact_task_yield();
	}
}

static void wait_late(void *unused)
{
	(void)unused;
	(void)tact_sem_wait(sem, TEST_LONG);
}

/* One of 5 000 ready tasks of one level. */
static void ready_tasks(void *unused)
{
	const struct tact_routine routine = {.run = serve};
	struct tact_task_attr attr = light;
	uint64_t masked;
	uint32_t own;

	(void)unused;
	go_on = true;
	attr.priority = 10;
	attr.flags |= TACT_TASK_NO_JOIN;
	for (uint32_t i = 0; i < WAITERS; i++)
		expect_ok(tact_task_spawn(&attr, yield_on, NULL, NULL));
	attr.flags &= ~(uint32_t)TACT_TASK_NO_JOIN;
	expect_ok(tact_task_spawn(&attr, yield_on, NULL, &task));
	expect_ok(tact_task_sleep(TEST_MS));
	COUNT("tact_task_set_priority of a ready one", tact_task_set_priority(task, 10, 0, NULL));
	COUNT("tact_task_suspend of a ready one", tact_task_suspend(task));
	COUNT("tact_task_resume of a ready one", tact_task_resume(task));
	COUNT("tact_sched_rotate", tact_sched_rotate(TACT_CPU_ANY, 10));
	COUNT("tact_task_delete of a ready one", tact_task_delete(task));
	COUNT("tact_task_lock_scheduler", tact_task_lock_scheduler());
	COUNT("tact_task_unlock_scheduler", tact_task_unlock_scheduler());
	COUNT_VALUE("tact_task_lock_handlers", tact_task_lock_handlers());
	COUNT("tact_task_restore_handlers", tact_task_restore_handlers(0));
	expect_ok(tact_task_set_routine(TACT_SELF, &routine));
	COUNT("tact_task_mask_requests", tact_task_mask_requests(1, 2, &masked));
	COUNT("tact_task_request of itself", tact_task_request(TACT_SELF, 2));
	expect_ok(tact_task_set_routine(TACT_SELF, NULL));
	COUNT("tact_task_safe", tact_task_safe());
	COUNT("tact_task_unsafe", tact_task_unsafe());
	expect_ok(tact_task_set_priority(TACT_SELF, 10, 0, &own));
	sections_count("tact_task_yield");
	expect_ok(tact_task_yield());
	sections_count(NULL);
	expect_ok(tact_task_set_priority(TACT_SELF, own, 0, NULL));
	go_on = false;
	walk_let_end();
}

static void join_it(void *unused)
{
	(void)unused;
	(void)tact_task_join(late, TEST_LONG);
}

static void joined_tasks(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	expect_ok(tact_task_spawn(&light, wait_late, NULL, &late));
	sections_count("tact_task_join");
	walk_spawn(join_it, WAITERS);
	walk_let_end();
	sections_count("tact_task_exit with 5000 who join");
	expect_ok(tact_sem_post(sem));
	walk_let_end();
	expect_ok(tact_task_spawn(&light, wait_late, NULL, &late));
	walk_spawn(join_it, WAITERS);
	COUNT("tact_task_delete with 5000 who join", tact_task_delete(late));
}

static void be_safe_until_told(void *unused)
{
	(void)unused;
	expect_ok(tact_task_safe());
	(void)tact_sem_wait(sem, TEST_LONG);
	(void)tact_task_unsafe();
}

static void delete_it(void *unused)
{
	(void)unused;
	(void)tact_task_delete_unsafe(late, TEST_LONG);
}

/* All wait for the end of one task; or many for that of another task, in the same queue. */
static void safe_tasks(void *unused)
{
	tact_task_t first;

	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 2, 0, &sem));
	expect_ok(tact_task_spawn(&light, be_safe_until_told, NULL, &first));
	expect_ok(tact_task_spawn(&light, be_safe_until_told, NULL, &late));
	expect_ok(tact_task_sleep(TEST_MS));
	COUNT_ERROR("tact_task_delete_unsafe of a safe one", TACT_ETIMEDOUT,
		    tact_task_delete_unsafe(first, tact_in(TEST_MS)));
	sections_count("tact_task_delete_unsafe");
	walk_spawn(delete_it, WALK_MANY);
	walk_let_end();
	/* One that ends by itself, while nobody waits for it. */
	sections_count("tact_task_unsafe of an ordered one");
	expect_ok(tact_sem_post(sem));
	walk_let_end();
	sections_count("tact_task_unsafe with 1000 who delete");
	expect_ok(tact_sem_post(sem));
	walk_let_end();
}

/* From one processor to the other: one of thousands of waiters, and a task that owns thousands of
 * objects. */
static void hold_many_and_wait(void *unused)
{
	tact_mutex_t mutex;

	(void)unused;
	for (uint32_t i = 0; i < WAITERS; i++) {
		expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &mutex));
		expect_ok(tact_mutex_lock(mutex, TACT_NOWAIT));
	}
	wait_sem(NULL);
}

static void migrating_tasks(void *unused)
{
	(void)unused;
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem));
	walk_spawn(wait_sem, WAITERS);
	expect_ok(tact_task_spawn(&light, hold_many_and_wait, NULL, &task));
	walk_let_end();
	expect_ok(tact_task_spawn(&light, wait_sem, NULL, &late));
	walk_let_end();
	/* The one that is meant is not the first. */
	walk_limit(20);
	COUNT("tact_task_migrate", tact_task_migrate(late, 1));
	COUNT("tact_task_migrate of an owner", tact_task_migrate(task, 1));
	COUNT("tact_task_set_priority from afar", tact_task_set_priority(late, 90, 0, NULL));
	COUNT("tact_task_delete from afar", tact_task_delete(late));
	COUNT("tact_task_delete of an owner from afar", tact_task_delete(task));
	COUNT("tact_sem_delete, one of afar", tact_sem_delete(sem));
}

WALK(waiting_tasks)
WALK(ready_tasks)
WALK(joined_tasks)
WALK(safe_tasks)
WALK_CPUS(2, migrating_tasks)
