/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The sporadic server's bound over random activations, in windows that begin at any time. In each
 * window of length t that ends without a debt, the server runs above its low priority for at most
 * (⌊t / period⌋ + 1) × budget, even if budget is used late, merged, or run for tasks that wait for
 * its lock. Below it another task computes all the time, so that it never runs at its low priority.
 */
#include <stdlib.h>

#include "at.h"

#include <tactus/mutex.h>

#define SETS    150
#define SAMPLES 1600u
#define OWN     40u /* priorities */
#define LOW     10u
/* What calls and switches take of virtual time in a window. */
#define CLOSE_NS 2000u

struct sample {
	uint64_t run_ns;
	bool owes; /* it may, having no budget */
};

static struct sample sample[SAMPLES];
static uint64_t random_state;
static uint64_t budget_ns, period_ns, step_ns;
static tact_sem_t jobs;
static tact_mutex_t lock;
static bool lends;
static volatile bool boosted;

static uint64_t between(uint64_t low, uint64_t high)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return low + random_state % (high - low + 1);
}

static void serve_jobs(void *unused)
{
	(void)unused;
	for (;;) {
		bool locks = lends && between(0, 1);

		expect_ok(tact_sem_wait(jobs, TACT_FOREVER));
		if (locks)
			expect_ok(tact_mutex_lock(lock, TACT_FOREVER));
		tact_compute(between(1000, budget_ns + budget_ns / 2));
		if (locks)
			expect_ok(tact_mutex_unlock(lock));
	}
}

static void give_jobs(void *unused)
{
	(void)unused;
	for (;;) {
		expect_ok(tact_task_sleep(between(1000, period_ns)));
		(void)tact_sem_post(jobs);
	}
}

/* A task above the server: it delays activations of the server. */
static void hold_up_often(void *unused)
{
	(void)unused;
	for (;;) {
		expect_ok(tact_task_sleep(between(1000, 2 * period_ns)));
		tact_compute(between(1000, period_ns));
	}
}

/* Between the two priorities: it lends when the budget is used up. */
static void want_lock(void *unused)
{
	(void)unused;
	for (;;) {
		expect_ok(tact_task_sleep(between(1000, 2 * period_ns)));
		expect_ok(tact_mutex_lock(lock, TACT_FOREVER));
		tact_compute(between(1000, period_ns / 20));
		expect_ok(tact_mutex_unlock(lock));
	}
}

static void take_samples(tact_task_t server_task)
{
	boosted = false;
	start = tact_now();
	for (uint32_t i = 0; i < SAMPLES; i++) {
		struct tact_task_info info = {0};

		at(i * step_ns);
		info = info_of(server_task);
		sample[i].run_ns = info.run_ns;
		sample[i].owes = info.priority != OWN;
		if (info.priority > LOW && info.priority < OWN)
			boosted = true;
	}
}

static void expect_bound(uint64_t seed)
{
	for (uint32_t i = 0; i < SAMPLES; i++)
		for (uint32_t j = i + 1; j < SAMPLES; j++) {
			uint64_t window_ns = (j - i) * step_ns;
			uint64_t most_ns = (window_ns / period_ns + 1) * budget_ns;
			uint64_t used_ns = sample[j].run_ns - sample[i].run_ns;

			if (used_ns > most_ns + CLOSE_NS && !(lends && sample[j].owes))
				test_fail(__FILE__, __LINE__,
					  "TEST_SEED=%llu: budget %llu ns, period %llu: %llu used "
					  "in %llu from %llu on, at most %llu expected",
					  (unsigned long long)seed, (unsigned long long)budget_ns,
					  (unsigned long long)period_ns,
					  (unsigned long long)used_ns,
					  (unsigned long long)window_ns,
					  (unsigned long long)(i * step_ns),
					  (unsigned long long)most_ns);
		}
}

/* Sets whether the server ran for others without a budget. */
static void run_tasks(void *unused)
{
	tact_task_t task[5];
	struct tact_sched_param sched = {.sched_class = TACT_SCHED_SPORADIC, .low_priority = LOW};

	(void)unused;
	budget_ns = between(200000, 3000000);
	period_ns = budget_ns + between(100000, 8000000);
	/* Windows that are multiples of the period are there, and others. */
	step_ns = period_ns / between(30, 60);
	sched.budget_ns = budget_ns;
	sched.replenish_ns = period_ns;
	sched.replenish_max = (uint32_t)between(1, 8);
	expect_ok(tact_sem_create(NULL, 0, 3, 0, &jobs));
	expect_ok(tact_mutex_create(NULL, TACT_PRIO, 0, &lock));
	task[0] = test_spawn(20, compute_for_ever, NULL);
	task[1] = spawn_as(&sched, OWN, serve_jobs, NULL);
	task[2] = test_spawn(45, hold_up_often, NULL);
	task[3] = test_spawn(46, give_jobs, NULL);
	task[4] = lends ? test_spawn(30, want_lock, NULL) : (tact_task_t){0};
	take_samples(task[1]);
	for (int i = 0; i < 5; i++)
		if (task[i].id)
			expect_ok(tact_task_delete(task[i]));
	expect_ok(tact_mutex_delete(lock));
	expect_ok(tact_sem_delete(jobs));
}

static bool run_set(uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15u | 1;
	test_join(test_spawn(60, run_tasks, NULL));
	expect_bound(seed);
	return boosted;
}

static void run_sets(bool with_debts)
{
	const char *given = getenv("TEST_SEED");
	uint32_t lent = 0;

	need_exact();
	lends = with_debts;
	if (given) {
		(void)run_set(strtoull(given, NULL, 0));
		return;
	}
	for (uint64_t seed = 1; seed <= SETS; seed++)
		lent += run_set(seed);
	/* Else it told nothing about debts. */
	expect_true(!with_debts || lent > SETS / 2);
}

TEST(use_in_any_window_is_bounded)
{
	run_sets(false);
}

TEST(use_in_any_window_is_bounded_also_with_debts)
{
	run_sets(true);
}
