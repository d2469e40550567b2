/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A timer is deleted by whom cannot wait for its handler: also by the handler itself. */
#include "test.h"

#include <stdatomic.h>

#include <tactus/timer.h>

static tact_timer_t timer;
static tact_timer_t other;
static _Atomic int running;
static _Atomic int go_on;

static void expect_gone(tact_timer_t gone)
{
	expect_error(tact_timer_discard(gone), TACT_EIDRM);
	expect_error(tact_timer_start(gone, tact_in(0), 0), TACT_EIDRM);
	expect_error(tact_timer_stop(gone), TACT_EIDRM);
}

static uint64_t pool_used(uint32_t cpu)
{
	struct tact_cpu_info info = {0};

	expect_ok(tact_cpu_inquire(cpu, &info));
	return info.pool_used_bytes;
}

static void discard_itself(void *arg)
{
	struct tact_timer_expiry expiry = {0};

	(void)arg;
	mark("begin");
	expect_ok(tact_timer_discard(timer));
	expect_gone(timer);
	/* The run goes on, and knows for what. */
	expect_ok(tact_timer_expiry(&expiry));
	expect_same(expiry.timer, timer);
	expect_true(expiry.programmed.ns <= tact_now().ns);
	mark("end");
	running = 1;
}

static void until_run(void)
{
	while (!running)
		if (tact_task_self().id)
			expect_ok(tact_task_sleep(TEST_MS));
	running = 0;
}

TASK_TEST(handler_discards_its_own_timer)
{
	struct tact_cpu_info before = {0};
	struct tact_cpu_info after = {0};

	for (int i = 0; i < 3; i++) {
		if (i == 1)
			expect_ok(tact_cpu_inquire(0, &before));
		expect_ok(tact_timer_create("once", discard_itself, NULL, 0, &timer));
		expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 5 * TEST_MS));
		until_run();
		expect_error(tact_find("once", TACT_NOWAIT, NULL), TACT_EAGAIN);
		expect_ok(tact_task_sleep(20 * TEST_MS));
	}
	expect_marks("begin end begin end begin end");
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.pool_used_bytes, before.pool_used_bytes);
	expect_eq(after.objects, before.objects);
}

static void mark_word(void *word)
{
	mark(word);
}

static void discard_other(void *arg)
{
	(void)arg;
	mark("begin");
	expect_ok(tact_timer_discard(other));
	expect_gone(other);
	running = 1;
}

TASK_TEST(handler_that_is_due_is_forgotten)
{
	tact_time_t at = tact_time_add(tact_now(), TEST_MS);

	expect_ok(tact_timer_create(NULL, discard_other, NULL, 0, &timer));
	expect_ok(tact_timer_create(NULL, mark_word, "never", 0, &other));
	expect_ok(tact_timer_start(timer, tact_at(at), 0));
	expect_ok(tact_timer_start(other, tact_at(at), 0));
	expect_ok(tact_task_sleep(20 * TEST_MS));
	expect_marks("begin");
	expect_ok(tact_timer_delete(timer));
}

static void discard_afar(void *arg)
{
	(void)arg;
	expect_ok(tact_timer_discard(other));
}

TEST_CPUS(2, handler_discards_a_timer_of_another_cpu)
{
	uint64_t used = pool_used(1);

	expect_ok(tact_timer_create(NULL, mark_word, "never", TACT_ON_CPU(1), &other));
	expect_ok(tact_timer_start(other, tact_in(60000 * TEST_MS), TEST_MS));
	test_in_handler(discard_afar, NULL);
	settle();
	expect_gone(other);
	expect_eq(pool_used(1), used);
}

static void compute_until_told(void *arg)
{
	(void)arg;
	mark("begin");
	running = 1;
	for (int i = 0; i < 3500 && !go_on; i++)
		tact_compute(TEST_MS);
	expect_ok(tact_timer_expiry(NULL));
	mark("end");
	running = 2;
}

static void discard_meanwhile(void *arg)
{
	(void)arg;
	while (!running)
		if (tact_task_self().id)
			expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_timer_discard(timer));
	mark("discarded");
	expect_error(tact_timer_discard(timer), TACT_EIDRM);
	expect_error(tact_timer_delete(timer), TACT_EIDRM);
	go_on = 1;
}

static void discard_under_the_run(void (*by)(void *), bool by_task)
{
	uint64_t used = pool_used(0);

	expect_ok(tact_timer_create(NULL, compute_until_told, NULL, TACT_ON_CPU(0), &timer));
	expect_ok(tact_timer_start(timer, tact_in(0), TEST_MS));
	if (by_task)
		test_join(test_spawn_on(1, 10, by, NULL));
	else
		by(NULL);
	while (running != 2)
		expect_ok(tact_cpu_inquire(0, NULL));
	settle();
	expect_marks("begin discarded end");
	expect_eq(pool_used(0), used);
}

TEST_CPUS(2, task_of_another_cpu_does_not_wait_for_the_run)
{
	/* The control block of a task stays, and belongs to CPU 1. */
	discard_under_the_run(discard_meanwhile, true);
}

TEST(linux_thread_does_not_wait_for_the_run)
{
	discard_under_the_run(discard_meanwhile, false);
}

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined"))) static void discard_and_fault(void *address)
{
	expect_ok(tact_timer_discard(timer));
	running = 1;
	*(volatile int *)address = 1;
	mark("not-reached");
}

TASK_TEST(fault_after_it_gives_the_memory_back_once)
{
	uint64_t used = pool_used(0);

	capture_reports();
	expect_ok(tact_timer_create("brake", discard_and_fault, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), TEST_MS));
	until_run();
	expect_ok(tact_task_sleep(5 * TEST_MS));
	expect_report("handler of \"brake\"");
	expect_eq(pool_used(0), used);
	/* The server goes on. */
	expect_ok(tact_timer_create(NULL, discard_itself, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	until_run();
	expect_marks("begin end");
}

static void discard_and_compute(void *arg)
{
	(void)arg;
	expect_ok(tact_timer_discard(timer));
	mark("begin");
	running = 1;
	tact_compute(20 * TEST_MS);
	mark("end");
}

TEST_UNSTARTED(stop_waits_for_the_run)
{
	struct tact_config config = {.name = "test"};

	expect_ok(test_start(&config, NULL));
	expect_ok(tact_timer_create(NULL, discard_and_compute, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	while (!running)
		expect_ok(tact_cpu_inquire(0, NULL));
	expect_ok(tact_stop());
	expect_marks("begin end");
}

TASK_TEST(timer_that_does_not_run_goes_at_once)
{
	uint64_t used = pool_used(0);

	expect_ok(tact_timer_create("idle", mark_word, "never", 0, &timer));
	expect_ok(tact_timer_discard(timer));
	expect_gone(timer);
	expect_ok(tact_timer_create("idle", mark_word, "never", 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	expect_ok(tact_timer_discard(timer));
	expect_ok(tact_task_sleep(5 * TEST_MS));
	expect_marks("");
	expect_eq(pool_used(0), used);
	expect_error(tact_timer_discard((tact_timer_t){tact_task_self().id}), TACT_EBADF);
	expect_error(tact_timer_discard((tact_timer_t){0}), TACT_EBADF);
}
