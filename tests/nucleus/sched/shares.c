/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks that compute all the time, beside one another on a CPU, and see what is taken from them.
 * One of each class with budgets, of one period but different shares of it, and two that take
 * turns in what is left. All begin their turns with an event and end them so; a second has a whole
 * number of periods.
 */
#include "shares.h"

#include <stdio.h>
#include <stdlib.h>

#define GAP_NS        2000u
#define STOLEN_MIN_NS 100000u /* more than an event takes */
#define SPAN_NS       (test_on_sim() ? 200 * TEST_MS : 1000 * TEST_MS)
#define TURNS_NS      1500000u /* of both who take turns, at most: small against a second */

/* A task that computes, and sees what is taken from it within its turns. */
struct worker {
	tact_task_t task;
	/* When it looked at its clocks last, and until when it has got on since. */
	volatile uint64_t looked_ns, looked_run_ns, last_ns;
	uint64_t stolen_ns; /* charged to it while it did not get on, beyond what an event takes */
	uint64_t thefts;
	uint64_t got_on_ns;
	uint64_t longest_ns;
	uint64_t run_ns;       /* charged to it */
	uint64_t turns, empty; /* in which it looked, and those before which it did not get on */
	uint64_t slice_ns;
	double asked; /* share of all time, or of what is there for turns */
};

enum { CBS, QUOTA, SPORADIC, TURN, LONG_TURN, WORKERS };

struct work {
	struct shares *shares;
	struct worker worker[WORKERS];
	uint64_t period_ns;
	uint64_t debt_ns; /* most that one may owe for what the machine took, beside a slice */
	uint64_t span_ns;
	uint64_t random;
};

static uint64_t between(struct work *work, uint64_t low, uint64_t high)
{
	work->random ^= work->random << 13;
	work->random ^= work->random >> 7;
	work->random ^= work->random << 17;
	return low + work->random % (high - low + 1);
}

/* The smallest budget is given; the others are of more, and all of 70 % of the time at most. */
static void draw(struct work *work, const struct tact_sched_limits *limits)
{
	uint64_t least_ns = (uint64_t)(work->shares->times * (double)limits->slice_min_ns);
	uint64_t share = between(work, 50, 200);
	int least = (int)between(work, CBS, SPORADIC);
	uint64_t turn_ns = least_ns < TURNS_NS / 3 ? least_ns : TURNS_NS / 3;

	work->random |= 1;
	work->period_ns = least_ns * 1000 / share;
	if (work->period_ns < limits->period_min_ns)
		work->period_ns = limits->period_min_ns;
	work->debt_ns = 16 * limits->event_ns;
	for (int i = CBS; i <= SPORADIC; i++) {
		struct worker *worker = &work->worker[i];
		uint64_t more = i == least ? share : between(work, share, 230);

		worker->slice_ns = work->period_ns * more / 1000;
		/* The division may have lost a nanosecond. */
		if (i == least || worker->slice_ns < least_ns)
			worker->slice_ns = least_ns;
		worker->asked = (double)worker->slice_ns / (double)work->period_ns;
	}
	work->worker[TURN].slice_ns = turn_ns;
	work->worker[LONG_TURN].slice_ns = between(work, turn_ns, 2 * TURNS_NS / 3);
	for (int i = TURN; i <= LONG_TURN; i++)
		work->worker[i].asked =
			(double)work->worker[i].slice_ns /
			(double)(work->worker[TURN].slice_ns + work->worker[LONG_TURN].slice_ns);
}

static uint64_t run_of(tact_task_t task)
{
	struct tact_task_info info;

	expect_ok(tact_task_inquire(task, &info));
	return info.run_ns;
}

static uint64_t stolen_since_look(const struct worker *worker, uint64_t run_ns)
{
	uint64_t got_on_ns = worker->last_ns - worker->looked_ns;
	uint64_t charged_ns = run_ns - worker->looked_run_ns;

	return charged_ns > got_on_ns + STOLEN_MIN_NS ? charged_ns - got_on_ns : 0;
}

static void count_stolen(struct worker *worker, uint64_t run_ns)
{
	uint64_t stolen_ns = stolen_since_look(worker, run_ns);

	worker->stolen_ns += stolen_ns;
	worker->thefts += stolen_ns != 0;
	if (stolen_ns > worker->longest_ns)
		worker->longest_ns = stolen_ns;
}

/* It looks once in each turn in which it gets on. To have had half a slice since it did so last,
 * and not to have got on, is what a slice without progress comes to. */
static void count_turn(struct worker *worker, uint64_t run_ns)
{
	uint64_t got_on_ns = worker->last_ns - worker->looked_ns;
	uint64_t charged_ns = run_ns - worker->looked_run_ns;

	worker->turns++;
	if (!stolen_since_look(worker, run_ns) && charged_ns > got_on_ns &&
	    charged_ns - got_on_ns > worker->slice_ns / 2)
		worker->empty++;
}

static void compute(void *arg)
{
	struct worker *worker = arg;

	for (;;) {
		uint64_t now_ns, run_ns;

		if (test_on_sim())
			tact_compute(1000);
		now_ns = tact_now().ns;
		if (now_ns - worker->last_ns < GAP_NS) {
			worker->last_ns = now_ns;
			continue;
		}
		worker->got_on_ns += worker->last_ns - worker->looked_ns;
		run_ns = run_of(TACT_SELF);
		if (worker->looked_ns) {
			count_stolen(worker, run_ns);
			count_turn(worker, run_ns);
		}
		worker->looked_run_ns = run_ns;
		worker->last_ns = tact_now().ns;
		worker->looked_ns = worker->last_ns;
	}
}

static void employ(struct worker *worker, uint32_t priority, struct tact_sched_param sched)
{
	struct tact_task_attr attr = {.priority = priority, .sched = sched};

	expect_ok(tact_task_spawn(&attr, compute, worker, &worker->task));
}

static void employ_all(struct work *work, tact_quota_t group)
{
	struct worker *worker = work->worker;

	employ(&worker[CBS], 40,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_CBS,
					 .budget_ns = worker[CBS].slice_ns,
					 .deadline_ns = work->period_ns,
					 .replenish_ns = work->period_ns});
	employ(&worker[QUOTA], 35,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA, .quota_group = group});
	employ(&worker[SPORADIC], 30,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_SPORADIC,
					 .budget_ns = worker[SPORADIC].slice_ns,
					 .replenish_ns = work->period_ns,
					 .low_priority = 10});
	for (int i = TURN; i <= LONG_TURN; i++)
		employ(&worker[i], 20,
		       (struct tact_sched_param){.sched_class = TACT_SCHED_RR,
						 .quantum_ns = worker[i].slice_ns});
}

static void tell(struct shares *shares, int worker, const char *what, double value)
{
	static const char *const names[] = {"CBS", "quota", "sporadic", "turn", "long turn"};

	shares->good = false;
	snprintf(shares->worst, sizeof(shares->worst), "%s: %s %.4f", names[worker], what, value);
}

static void judge_worker(struct work *work, int i, double asked)
{
	const struct worker *worker = &work->worker[i];
	double received = (double)(worker->run_ns - worker->stolen_ns);

	if (received < 0.98 * asked || received > 1.02 * asked)
		tell(work->shares, i, "received of what it asked for", received / asked);
	/* What begins and ends its turns is in there, too. */
	if ((double)worker->got_on_ns < received / 10)
		tell(work->shares, i, "got on for, of what it received",
		     (double)worker->got_on_ns / received);
	/* The machine takes a little now and then. */
	if (worker->empty > worker->turns / 20)
		tell(work->shares, i, "turns in which it did not get on",
		     (double)worker->empty / (double)worker->turns);
	if ((double)worker->thefts * (double)(work->debt_ns + worker->slice_ns) > asked / 100)
		work->shares->disturbed = true;
	if (getenv("TEST_SHARES"))
		fprintf(stderr,
			"# times %.2f seed %llu slice %llu worker %d asked %.0f us %+.4f stolen "
			"%llu us in %llu got on for %.2f empty %llu of %llu\n",
			work->shares->times, (unsigned long long)work->shares->seed,
			(unsigned long long)worker->slice_ns, i, asked / 1000, received / asked - 1,
			(unsigned long long)worker->stolen_ns / 1000,
			(unsigned long long)worker->thefts, (double)worker->got_on_ns / received,
			(unsigned long long)worker->empty, (unsigned long long)worker->turns);
}

static void judge(struct work *work)
{
	uint64_t stolen_ns = 0, longest_ns = 0, turns_ns = 0;

	for (int i = 0; i < WORKERS; i++) {
		const struct worker *worker = &work->worker[i];

		stolen_ns += worker->stolen_ns;
		if (worker->longest_ns > longest_ns)
			longest_ns = worker->longest_ns;
		if (i >= TURN)
			turns_ns += worker->run_ns - worker->stolen_ns;
	}
	work->shares->good = true;
	/* Beside what Linux keeps back from real time at a time. What is taken in small pieces
	 * leaves a budget that comes each period as it is, and lessens what is for turns. */
	work->shares->disturbed = stolen_ns - longest_ns > work->span_ns / 100;
	for (int i = 0; i < WORKERS; i++)
		judge_worker(work, i,
			     work->worker[i].asked *
				     (double)(i >= TURN ? turns_ns : work->span_ns - stolen_ns));
}

static void begin_count(struct worker *worker)
{
	uint64_t run_ns = run_of(worker->task);

	worker->run_ns = -run_ns;
	worker->stolen_ns = -stolen_since_look(worker, run_ns);
	worker->thefts = worker->got_on_ns = worker->longest_ns = 0;
	worker->turns = worker->empty = 0;
}

static void end_count(struct worker *worker)
{
	uint64_t run_ns = run_of(worker->task);

	count_stolen(worker, run_ns);
	worker->run_ns += run_ns;
}

/* Above all of them, so that it looks at their clocks at one instant. */
static void watch(void *arg)
{
	struct work work = {.shares = arg};
	struct tact_sched_limits limits;
	tact_quota_t group;
	tact_time_t begun;

	work.random = work.shares->seed * 0x9e3779b97f4a7c15u | 1;
	expect_ok(tact_sched_limits(&limits));
	draw(&work, &limits);
	expect_ok(
		tact_quota_create(NULL, work.period_ns, work.worker[QUOTA].slice_ns, 0, 0, &group));
	employ_all(&work, group);
	/* The debts of the beginning are paid. */
	expect_ok(tact_task_sleep(20 * TEST_MS + 2 * work.period_ns));
	begun = tact_now();
	for (int i = 0; i < WORKERS; i++)
		begin_count(&work.worker[i]);
	expect_ok(tact_task_sleep_until(
		tact_at(tact_time_add(begun, (SPAN_NS / work.period_ns + 1) * work.period_ns))));
	work.span_ns = tact_now().ns - begun.ns;
	for (int i = 0; i < WORKERS; i++)
		end_count(&work.worker[i]);
	for (int i = 0; i < WORKERS; i++)
		expect_ok(tact_task_delete(work.worker[i].task));
	expect_ok(tact_quota_delete(group));
	judge(&work);
}

void measure_shares(struct shares *shares)
{
	shares->worst[0] = '\0';
	test_join(test_spawn(60, watch, shares));
}
