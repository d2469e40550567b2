/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When handlers run: once and periodically, on both clocks, and what is counted when they cannot.
 */
#include "exact.h"

#include <tactus/timer.h>

#define RUNS 3

static tact_timer_t timer;
static struct tact_timer_expiry seen[RUNS];
static uint64_t began_ns[RUNS];
static uint32_t runs;
static tact_sem_t done;

static void record(void *compute_ns)
{
	if (runs < RUNS) {
		began_ns[runs] = tact_now().ns;
		expect_ok(tact_timer_expiry(&seen[runs]));
		expect_eq(tact_mode(), TACT_MODE_HANDLER);
	}
	if (++runs == RUNS) {
		expect_ok(tact_timer_stop(timer));
		expect_ok(tact_sem_post(done));
	}
	if (compute_ns && runs == 1)
		tact_compute(*(uint64_t *)compute_ns);
}

static void make(void *compute_ns)
{
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_FIFO, &done));
	expect_ok(tact_timer_create("blink", record, compute_ns, 0, &timer));
}

static struct tact_timer_info info_now(void)
{
	struct tact_timer_info info = {0};

	expect_ok(tact_timer_inquire(timer, &info));
	return info;
}

static void once(tact_timeout_t first, uint64_t programmed_ns, uint32_t clock)
{
	runs = RUNS - 1;
	expect_ok(tact_timer_start(timer, first, 0));
	expect_ok(tact_sem_wait(done, TEST_LONG));
	expect_eq(info_now().active, 0);
	expect_eq(info_now().expiries, 1);
	expect_eq(info_now().missed, 0);
	expect_eq(info_now().last_clock, clock);
	expect_eq(seen[RUNS - 1].clock, clock);
	expect_same(seen[RUNS - 1].timer, timer);
	if (programmed_ns) {
		expect_eq(seen[RUNS - 1].programmed.ns, programmed_ns);
		expect_eq(info_now().last.ns, programmed_ns);
	}
	if (!clock)
		expect_true(began_ns[RUNS - 1] >= seen[RUNS - 1].programmed.ns);
	/* A one-shot timer rings once. */
	expect_error(tact_sem_wait(done, tact_in(3 * TEST_MS)), TACT_ETIMEDOUT);
}

TASK_TEST(rings_once_after_a_while)
{
	uint64_t before = tact_now().ns;

	make(NULL);
	once(tact_in(2 * TEST_MS), 0, 0);
	expect_true(seen[RUNS - 1].programmed.ns >= before + 2 * TEST_MS);
}

TASK_TEST(rings_once_at_an_instant)
{
	uint64_t instant = tact_now().ns + 2 * TEST_MS;

	make(NULL);
	once(tact_at((tact_time_t){instant}), instant, 0);
}

TASK_TEST(rings_once_on_the_wall_clock)
{
	uint64_t instant = tact_wall_now().ns + 2 * TEST_MS;

	make(NULL);
	once(tact_at_wall((tact_time_t){instant}), instant, 1);
}

TASK_TEST(wall_clock_timer_follows_the_clock)
{
	uint64_t instant = tact_wall_now().ns + 3600000 * TEST_MS;

	make(NULL);
	runs = RUNS - 1;
	expect_ok(tact_timer_start(timer, tact_at_wall((tact_time_t){instant}), 0));
	expect_error(tact_sem_wait(done, tact_in(2 * TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_wall_set((tact_time_t){instant}));
	expect_ok(tact_sem_wait(done, TEST_LONG));
	expect_eq(seen[RUNS - 1].programmed.ns, instant);
}

TASK_TEST(instant_in_the_past_is_due_at_once)
{
	make(NULL);
	once(tact_at((tact_time_t){1}), 1, 0);
}

TASK_TEST(sum_beyond_the_clock_never_comes)
{
	make(NULL);
	expect_ok(tact_timer_start(timer, tact_in(UINT64_MAX), 0));
	expect_eq(info_now().active, 0);
}

TASK_TEST(periodic_instants_do_not_drift)
{
	uint64_t first = tact_now().ns + 2 * TEST_MS;

	make(NULL);
	expect_ok(tact_timer_start(timer, tact_at((tact_time_t){first}), 20 * TEST_MS));
	expect_eq(info_now().active, 1);
	expect_eq(info_now().next.ns, first);
	expect_eq(info_now().period_ns, 20 * TEST_MS);
	expect_ok(tact_sem_wait(done, TEST_LONG));
	for (uint64_t i = 0; i < RUNS; i++) {
		expect_eq((seen[i].programmed.ns - first) % (20 * TEST_MS), 0);
		expect_true(began_ns[i] >= seen[i].programmed.ns);
		if (test_on_sim()) {
			expect_eq(seen[i].programmed.ns, first + i * 20 * TEST_MS);
			expect_eq(seen[i].missed, 0);
		}
	}
	expect_eq(info_now().active, 0);
}

TASK_TEST(instants_under_a_long_handler_are_missed)
{
	uint64_t compute_ns = 7 * TEST_MS;
	uint64_t first = tact_now().ns + 2 * TEST_MS;
	struct tact_timer_info info = {0};

	make(&compute_ns);
	/* First run from 0 to 7 ms: those at 2 and 4 pass, the one at 6 is run for, at 7. */
	expect_ok(tact_timer_start(timer, tact_at((tact_time_t){first}), 2 * TEST_MS));
	expect_ok(tact_sem_wait(done, TEST_LONG));
	info = info_now();
	expect_true(info.missed >= 2);
	expect_eq(info.expiries, info.missed + RUNS);
	expect_true(seen[1].missed >= 2);
	expect_eq(seen[1].programmed.ns,
		  seen[0].programmed.ns + (seen[1].missed + 1) * 2 * TEST_MS);
	if (test_on_sim()) {
		expect_eq(seen[1].programmed.ns, first + 6 * TEST_MS);
		expect_eq(seen[1].missed, 2);
		expect_eq(seen[2].programmed.ns, first + 8 * TEST_MS);
		expect_eq(seen[2].missed, 0);
	}
}

TASK_TEST(periodic_start_in_the_past_keeps_its_phase)
{
	uint64_t now = tact_now().ns;
	uint64_t first = now - now % TEST_MS;

	make(NULL);
	first = first > 50 * TEST_MS ? first - 50 * TEST_MS : 0;
	expect_ok(tact_timer_start(timer, tact_at((tact_time_t){first}), 20 * TEST_MS));
	expect_ok(tact_sem_wait(done, TEST_LONG));
	expect_eq((seen[0].programmed.ns - first) % (20 * TEST_MS), 0);
	expect_eq(seen[0].missed, (seen[0].programmed.ns - first) / (20 * TEST_MS));
	expect_true(seen[0].programmed.ns + 20 * TEST_MS > now);
}

TASK_TEST(start_anew_replaces_the_times)
{
	make(NULL);
	runs = RUNS - 1;
	expect_ok(tact_timer_start(timer, tact_in(5 * TEST_MS), 0));
	expect_ok(tact_timer_start(timer, tact_in(3600000 * TEST_MS), 0));
	expect_error(tact_sem_wait(done, tact_in(10 * TEST_MS)), TACT_ETIMEDOUT);
	expect_ok(tact_timer_stop(timer));
	expect_ok(tact_timer_stop(timer));
	expect_eq(info_now().active, 0);
	expect_eq(info_now().expiries, 0);
	expect_str(info_now().name, "blink");
}

static void mark_word(void *word)
{
	mark(word);
}

TASK_TEST(equal_instants_ring_in_order_of_starting)
{
	static char *const word[] = {"one", "two", "three"};
	tact_timeout_t at = tact_at(tact_time_add(tact_now(), 2 * TEST_MS));

	for (int i = 0; i < 3; i++) {
		expect_ok(tact_timer_create(NULL, mark_word, word[i], 0, &timer));
		expect_ok(tact_timer_start(timer, at, 0));
	}
	expect_ok(tact_task_sleep(5 * TEST_MS));
	expect_marks("one two three");
}

#define SHORT_NS 50000u

static void look_whether_it_is_time(void *arg)
{
	struct tact_timer_expiry expiry = {0};

	(void)arg;
	expect_ok(tact_timer_expiry(&expiry));
	expect_true(expiry.programmed.ns <= tact_now().ns);
	if (test_exact())
		expect_eq(expiry.missed, 0);
	if (++runs == 20)
		expect_ok(tact_timer_stop(timer));
}

static void compute_meanwhile(void *arg)
{
	(void)arg;
	while (*(volatile uint32_t *)&runs < 20)
		tact_compute(TEST_MS / 10);
}

/* What anticipates the interruption reaches beyond the next instant, and the one after it. */
TEST_UNSTARTED(period_shorter_than_what_is_anticipated_misses_nothing)
{
	struct tact_config config = {.gravity.preempt_ns = 100000};
	tact_task_t task;

	expect_ok(test_start(&config, NULL));
	expect_ok(tact_timer_create(NULL, look_whether_it_is_time, NULL, 0, &timer));
	task = test_spawn(TEST_PRIORITY, compute_meanwhile, NULL);
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), SHORT_NS));
	test_join(task);
	expect_eq(info_now().active, 0);
	if (test_exact()) {
		expect_eq(info_now().expiries, 20);
		expect_eq(info_now().missed, 0);
	}
	expect_ok(tact_stop());
}

static void compute_long(void *arg)
{
	(void)arg;
	tact_compute(10 * TEST_MS);
}

static void stop_after_the_clock_was_set_back(void *arg)
{
	tact_timer_t busy = *(tact_timer_t *)arg;
	uint64_t instant = tact_wall_now().ns + 3 * TEST_MS;

	expect_ok(tact_timer_start(busy, tact_in(TEST_MS), 0));
	expect_ok(tact_timer_start(timer, tact_at_wall((tact_time_t){instant}), 0));
	expect_ok(tact_task_sleep(6 * TEST_MS));
	expect_ok(tact_wall_set((tact_time_t){instant - 2 * TEST_MS}));
	expect_ok(tact_timer_stop(timer));
	if (test_exact()) {
		expect_eq(info_now().expiries, 1);
		expect_eq(info_now().missed, 1);
	}
	expect_eq(info_now().active, 0);
}

/* While a handler ran, which kept its own from running. */
TEST_CPUS(2, instant_that_came_has_come_wherever_the_clock_is_set)
{
	tact_timer_t busy;

	make(NULL);
	expect_ok(tact_timer_create(NULL, compute_long, NULL, 0, &busy));
	test_join(test_spawn_on(1, TEST_PRIORITY, stop_after_the_clock_was_set_back, &busy));
}
