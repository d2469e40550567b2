/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alarms that go while their handler is due or runs, that fault, that are refused. */
#include "test.h"

#include <stdatomic.h>

#include <tactus/alarm.h>

static tact_alarm_t alarm;
static tact_alarm_t other;
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
 * Until it is told, or for nearly as long as the watchdog lets it: a Linux thread that Linux left
 * behind this CPU's tasks may have to wait there for a second, until they are throttled.
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
	expect_ok(tact_alarm_delete(*(tact_alarm_t *)handle));
	mark("deleted");
}

TEST_CPUS(2, deletion_waits_for_the_handler_that_runs)
{
	expect_ok(tact_alarm_create("busy", compute_long, NULL, TACT_ON_CPU(0), &alarm));
	/* Its next instant lies beyond the end of the test. */
	expect_ok(tact_alarm_start(alarm, tact_in(0), 60000 * TEST_MS));
	test_join(test_spawn_on(1, 10, delete_and_mark, &alarm));
	expect_marks("begin end deleted");
	expect_error(tact_alarm_stop(alarm), TACT_EIDRM);
	expect_error(tact_find("busy", TACT_NOWAIT, NULL), TACT_EAGAIN);
}

TEST_CPUS(2, handler_that_is_due_is_forgotten_by_deletion)
{
	expect_ok(tact_alarm_create(NULL, compute_until_told, NULL, TACT_ON_CPU(0), &alarm));
	expect_ok(tact_alarm_create(NULL, mark_word, "never", TACT_ON_CPU(0), &other));
	expect_ok(tact_alarm_start(alarm, tact_in(0), 0));
	while (!atomic_load(&running))
		expect_ok(tact_alarm_inquire(alarm, NULL));
	expect_ok(tact_alarm_start(other, tact_in(0), 0));
	test_join(test_spawn_on(1, 10, delete_and_mark, &other));
	atomic_store(&go_on, 1);
	expect_ok(tact_alarm_delete(alarm));
	expect_marks("begin deleted end");
}

TEST(linux_thread_deletes_a_running_alarm)
{
	expect_ok(tact_alarm_create(NULL, compute_long, NULL, 0, &alarm));
	expect_ok(tact_alarm_start(alarm, tact_in(0), 0));
	while (!atomic_load(&running))
		expect_ok(tact_alarm_inquire(alarm, NULL));
	expect_ok(tact_delete(alarm));
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

TASK_TEST(fault_stops_the_alarm_and_no_other)
{
	struct tact_alarm_info info;

	expect_ok(tact_alarm_create(NULL, fault, NULL, 0, &alarm));
	expect_ok(tact_alarm_create(NULL, mark_word, "fine", 0, &other));
	expect_ok(tact_alarm_start(alarm, tact_in(TEST_MS), TEST_MS));
	expect_ok(tact_alarm_start(other, tact_in(200 * TEST_MS), 0));
	expect_ok(tact_task_sleep(300 * TEST_MS));
	expect_marks("fault fine");
	expect_ok(tact_alarm_inquire(alarm, &info));
	expect_eq(info.active, 0);
	expect_ok(tact_alarm_delete(alarm));
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
	struct tact_cpu_info cpu;
	struct tact_alarm_info info;

	expect_ok(test_start(&config, NULL));
	expect_ok(tact_alarm_create("endless", never_return, "endless", 0, &alarm));
	expect_ok(tact_alarm_create("next", mark_word, "next", 0, &other));
	expect_ok(tact_alarm_start(alarm, tact_in(TEST_MS), TEST_MS));
	expect_ok(tact_alarm_start(other, tact_in(TEST_MS), 0));
	/* A task has to wait for that CPU too. */
	test_join(test_spawn(10, nap, NULL));
	expect_marks("endless next");
	expect_ok(tact_alarm_inquire(alarm, &info));
	expect_eq(info.active, 0);
	expect_ok(tact_cpu_inquire(0, &cpu));
	expect_eq(cpu.watchdog_hits, 1);
	expect_ok(tact_stop());
}

static uint64_t pool_used(void)
{
	struct tact_cpu_info info;

	expect_ok(tact_cpu_inquire(1, &info));
	return info.pool_used_bytes;
}

TEST_CPUS(2, deletion_gives_all_memory_back)
{
	uint64_t used = 0;

	for (int round = 0; round < 3; round++) {
		expect_ok(tact_alarm_create("passing", mark_word, "never", TACT_ON_CPU(1), &alarm));
		expect_ok(tact_alarm_start(alarm, tact_in(60000 * TEST_MS), 0));
		expect_ok(tact_alarm_delete(alarm));
		/* The name comes back from CPU 0 before it can be given again. */
		expect_ok(tact_alarm_create("passing", mark_word, "never", TACT_ON_CPU(1), &alarm));
		expect_ok(tact_alarm_delete(alarm));
		/* This one comes back later. */
		settle();
		if (round)
			expect_eq(pool_used(), used);
		used = pool_used();
	}
}

TASK_TEST(arguments_are_checked)
{
	expect_error(tact_alarm_create(NULL, NULL, NULL, 0, &alarm), TACT_EINVAL);
	expect_error(tact_alarm_create(NULL, fault, NULL, TACT_PRIO, &alarm), TACT_EINVAL);
	expect_error(tact_alarm_create("", fault, NULL, 0, &alarm), TACT_EINVAL);
	expect_error(tact_alarm_create(NULL, fault, NULL, TACT_ON_CPU(1), &alarm), TACT_ENXIO);
	expect_ok(tact_alarm_create("taken", fault, NULL, 0, NULL));
	expect_error(tact_alarm_create("taken", fault, NULL, 0, NULL), TACT_EEXIST);
	expect_ok(tact_alarm_create(NULL, fault, NULL, 0, &alarm));
	expect_error(tact_alarm_start(alarm, TACT_FOREVER, 0), TACT_EINVAL);
	expect_error(tact_alarm_start(alarm, TACT_NOWAIT, 0), TACT_EINVAL);
	expect_error(tact_alarm_start(alarm, ((tact_timeout_t){0, 5}), 0), TACT_EINVAL);
	expect_error(tact_alarm_start(alarm, tact_in(0), TACT_ALARM_PERIOD_MIN_NS - 1),
		     TACT_EINVAL);
	expect_error(tact_alarm_start(tact_task_self(), tact_in(0), 0), TACT_EBADF);
	expect_error(tact_alarm_stop(0), TACT_EBADF);
	expect_error(tact_alarm_inquire(0, NULL), TACT_EBADF);
	expect_error(tact_alarm_delete(tact_task_self()), TACT_EBADF);
	expect_error(tact_alarm_expiry(NULL), TACT_EPERM);
	expect_ok(tact_alarm_delete(alarm));
	expect_error(tact_alarm_start(alarm, tact_in(0), 0), TACT_EIDRM);
	expect_error(tact_alarm_inquire(alarm, NULL), TACT_EIDRM);
	expect_error(tact_alarm_delete(alarm), TACT_EIDRM);
}

static void in_handler(void *unused)
{
	(void)unused;
	expect_error(tact_alarm_create(NULL, fault, NULL, 0, NULL), TACT_EPERM);
	expect_error(tact_alarm_delete(alarm), TACT_EPERM);
	expect_ok(tact_alarm_expiry(NULL));
	expect_ok(tact_alarm_start(alarm, tact_in(TEST_MS), 0));
	expect_error(tact_alarm_inquire(alarm, NULL), TACT_EPERM);
}

static void post(void *sem)
{
	expect_ok(tact_sem_post(*(tact_sem_t *)sem));
}

TEST_CPUS(2, handler_starts_an_alarm_of_another_cpu)
{
	tact_sem_t sem;

	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(1), &sem));
	expect_ok(tact_alarm_create(NULL, post, &sem, TACT_ON_CPU(1), &alarm));
	test_in_handler(in_handler, NULL);
	expect_ok(tact_sem_wait(sem, TEST_LONG));
}

TEST_UNSTARTED(nothing_works_before_the_start)
{
	expect_error(tact_alarm_create(NULL, fault, NULL, 0, &alarm), TACT_EPERM);
	expect_error(tact_alarm_expiry(NULL), TACT_EPERM);
}
