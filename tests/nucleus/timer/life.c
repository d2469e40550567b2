/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers that go while their handler is due or runs, that fault, that are refused. */
#include "test.h"

#include <stdatomic.h>

#include <tactus/timer.h>

static tact_timer_t timer;
static tact_timer_t other;
static _Atomic int running;
static _Atomic int go_on;

static void compute_long(void *unused)
{
	(void)unused;
	mark("begin");
	atomic_store(&running, 1);
	tact_compute(20 * TEST_MS);
	mark("end");
}

/*
 * Until it is told, or for nearly as long as the watchdog allows: a Linux thread behind this CPU's
 * tasks may have to wait for a second, until RT throttling acts.
 */
static void compute_until_told(void *unused)
{
	(void)unused;
	mark("begin");
	atomic_store(&running, 1);
	for (int i = 0; i < 3500 && !atomic_load(&go_on); i++)
		tact_compute(TEST_MS);
	mark("end");
}

static void mark_word(void *word)
{
	mark(word);
}

static void delete_and_mark(void *handle)
{
	while (!atomic_load(&running))
		expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_timer_delete(*(tact_timer_t *)handle));
	mark("deleted");
}

TEST_CPUS(2, deletion_waits_for_the_handler_that_runs)
{
	expect_ok(tact_timer_create("busy", compute_long, NULL, TACT_ON_CPU(0), &timer));
	/* Its next instant lies beyond the end of the test. */
	expect_ok(tact_timer_start(timer, tact_in(0), 60000 * TEST_MS));
	test_join(test_spawn_on(1, 10, delete_and_mark, &timer));
	expect_marks("begin end deleted");
	expect_error(tact_timer_stop(timer), TACT_EIDRM);
	expect_error(tact_find("busy", TACT_NOWAIT, NULL), TACT_EAGAIN);
}

TEST_CPUS(2, handler_that_is_due_is_forgotten_by_deletion)
{
	expect_ok(tact_timer_create(NULL, compute_until_told, NULL, TACT_ON_CPU(0), &timer));
	expect_ok(tact_timer_create(NULL, mark_word, "never", TACT_ON_CPU(0), &other));
	expect_ok(tact_timer_start(timer, tact_in(0), 0));
	while (!atomic_load(&running))
		expect_ok(tact_timer_inquire(timer, NULL));
	expect_ok(tact_timer_start(other, tact_in(0), 0));
	test_join(test_spawn_on(1, 10, delete_and_mark, &other));
	atomic_store(&go_on, 1);
	expect_ok(tact_timer_delete(timer));
	expect_marks("begin deleted end");
}

TEST(linux_thread_deletes_a_running_timer)
{
	expect_ok(tact_timer_create(NULL, compute_long, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(0), 0));
	while (!atomic_load(&running))
		expect_ok(tact_timer_inquire(timer, NULL));
	expect_ok(tact_delete(tact_object(timer)));
	mark("deleted");
	expect_marks("begin end deleted");
}

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined"))) static void fault(void *address)
{
	mark("fault");
	*(volatile int *)address = 1;
	mark("not-reached");
}

TASK_TEST(fault_stops_the_timer_and_no_other)
{
	struct tact_timer_info info = {0};

	expect_ok(tact_timer_create(NULL, fault, NULL, 0, &timer));
	expect_ok(tact_timer_create(NULL, mark_word, "fine", 0, &other));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), TEST_MS));
	expect_ok(tact_timer_start(other, tact_in(200 * TEST_MS), 0));
	expect_ok(tact_task_sleep(300 * TEST_MS));
	expect_marks("fault fine");
	expect_ok(tact_timer_inquire(timer, &info));
	expect_eq(info.active, 0);
	expect_ok(tact_timer_delete(timer));
}

static void never_return(void *arg)
{
	mark(arg);
	for (;;)
		tact_compute(TEST_MS);
}

static void nap(void *arg)
{
	(void)arg;
	expect_ok(tact_task_sleep(5 * TEST_MS));
}

TEST_UNSTARTED(watchdog_stops_a_handler_that_never_returns)
{
	struct tact_config config = {.name = "test", .watchdog_ms = 300};
	struct tact_cpu_info cpu = {0};
	struct tact_timer_info info = {0};

	expect_ok(test_start(&config, NULL));
	expect_ok(tact_timer_create("endless", never_return, "endless", 0, &timer));
	expect_ok(tact_timer_create("next", mark_word, "next", 0, &other));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), TEST_MS));
	expect_ok(tact_timer_start(other, tact_in(TEST_MS), 0));
	/* A task has to wait for that CPU too. */
	test_join(test_spawn(10, nap, NULL));
	expect_marks("endless next");
	expect_ok(tact_timer_inquire(timer, &info));
	expect_eq(info.active, 0);
	expect_ok(tact_cpu_inquire(0, &cpu));
	expect_eq(cpu.watchdog_hits, 1);
	expect_ok(tact_stop());
}

static uint64_t pool_used(void)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(1, &info));
	return info.pool_used_bytes;
}

TEST_CPUS(2, deletion_gives_all_memory_back)
{
	uint64_t used = 0;

	for (int round = 0; round < 3; round++) {
		expect_ok(tact_timer_create("passing", mark_word, "never", TACT_ON_CPU(1), &timer));
		expect_ok(tact_timer_start(timer, tact_in(60000 * TEST_MS), 0));
		expect_ok(tact_timer_delete(timer));
		/* The name comes back from CPU 0 before it can be given again. */
		expect_ok(tact_timer_create("passing", mark_word, "never", TACT_ON_CPU(1), &timer));
		expect_ok(tact_timer_delete(timer));
		/* This one comes back later. */
		settle();
		if (round)
			expect_eq(pool_used(), used);
		used = pool_used();
	}
}

TASK_TEST(arguments_are_checked)
{
	expect_error(tact_timer_create(NULL, NULL, NULL, 0, &timer), TACT_EINVAL);
	expect_error(tact_timer_create(NULL, fault, NULL, TACT_PRIO, &timer), TACT_EINVAL);
	expect_error(tact_timer_create("", fault, NULL, 0, &timer), TACT_EINVAL);
	expect_error(tact_timer_create(NULL, fault, NULL, TACT_ON_CPU(1), &timer), TACT_ENXIO);
	expect_ok(tact_timer_create("taken", fault, NULL, 0, NULL));
	expect_error(tact_timer_create("taken", fault, NULL, 0, NULL), TACT_EEXIST);
	expect_ok(tact_timer_create(NULL, fault, NULL, 0, &timer));
	expect_error(tact_timer_start(timer, TACT_FOREVER, 0), TACT_EINVAL);
	expect_error(tact_timer_start(timer, TACT_NOWAIT, 0), TACT_EINVAL);
	expect_error(tact_timer_start(timer, ((tact_timeout_t){0, 5}), 0), TACT_EINVAL);
	expect_error(tact_timer_start(timer, tact_in(0), TACT_TIMER_PERIOD_MIN_NS - 1),
		     TACT_EINVAL);
	expect_error(tact_timer_start((tact_timer_t){tact_task_self().id}, tact_in(0), 0),
		     TACT_EBADF);
	expect_error(tact_timer_stop((tact_timer_t){0}), TACT_EBADF);
	expect_error(tact_timer_inquire((tact_timer_t){0}, NULL), TACT_EBADF);
	expect_error(tact_timer_delete((tact_timer_t){tact_task_self().id}), TACT_EBADF);
	expect_error(tact_timer_expiry(NULL), TACT_EPERM);
	expect_ok(tact_timer_delete(timer));
	expect_error(tact_timer_start(timer, tact_in(0), 0), TACT_EIDRM);
	expect_error(tact_timer_inquire(timer, NULL), TACT_EIDRM);
	expect_error(tact_timer_delete(timer), TACT_EIDRM);
}

static void in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_timer_create(NULL, fault, NULL, 0, NULL), TACT_EPERM);
	expect_error(tact_timer_delete(timer), TACT_EPERM);
	expect_ok(tact_timer_expiry(NULL));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	expect_error(tact_timer_inquire(timer, NULL), TACT_EPERM);
}

static void post(void *sem)
{
	expect_ok(tact_sem_post(*(tact_sem_t *)sem));
}

TEST_CPUS(2, handler_starts_an_timer_of_another_cpu)
{
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(1), &sem));
	expect_ok(tact_timer_create(NULL, post, &sem, TACT_ON_CPU(1), &timer));
	test_in_handler(in_handler, NULL);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_timer_create(NULL, fault, NULL, 0, &timer), TACT_EPERM);
	expect_error(tact_timer_expiry(NULL), TACT_EPERM);
}
