/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks that compute all the time together on a CPU, and notice what is taken from them. There is
 * one task of each class with budgets, all with one period but different shares of it, and two
 * tasks that take turns in the rest. All begin and end their turns with an event; a second has a
 * whole number of periods.
 *
 * Time that the machine takes from a task is charged to the task, and is subtracted here. But the
 * scheduler cannot tell such a theft from running. So for each theft the task pays from its
 * budgets, up to a slice and the possible debt. So the time that it received lies between two
 * bounds. No theft excuses a result beyond them.
 */
#include "shares.h"

#include <stdio.h>
#include <stdlib.h>

#define GAP_NS        2000u
#define STOLEN_MIN_NS 100000u /* of a turn, more than its events take */
#define STACK_USED    49152u
#define SPAN_NS       (test_on_sim() ? 200 * TEST_MS : 1000 * TEST_MS)
#define TURNS_NS      1500000u /* the maximum for both tasks that take turns */

/* A task that computes, and notices what is taken from it within its turns. */
struct worker {
	tact_task_t task;
	/* When it looked at its clocks last, and until when it has got on since. */
	volatile uint64_t looked_ns, looked_run_ns, looked_switches, last_ns;
	uint64_t stolen_ns; /* charged to it while it did not get on, beyond what events take */
	uint64_t paid_ns;   /* most of that which it may have paid for */
	uint64_t thefts;
	uint64_t gone_ns, long_thefts; /* of those that took a period or more */
	uint64_t got_on_ns;
	uint64_t run_ns;       /* charged to it */
	uint64_t turns, empty; /* switched to; slices of which it did not get one instruction */
	uint64_t slice_ns;
	double asked; /* share of all time, or of the time for turns */
	const struct work *work;
};

enum { CBS, QUOTA, SPORADIC, TURN, LONG_TURN, WORKERS };

struct work {
	struct shares *shares;
	struct worker worker[WORKERS];
	uint64_t period_ns;
	uint64_t event_ns;
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
	work->event_ns = limits->event_ns;
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

/* The time charged to it since its last look, and how often the CPU switched to it. */
struct gap {
	uint64_t run_ns, switches;
	uint64_t turns;
	uint64_t lost_ns; /* charged while it did not get on */
	uint64_t stolen_ns;
};

static struct gap since_look(const struct worker *worker, tact_task_t task)
{
	uint64_t got_on_ns = worker->last_ns - worker->looked_ns;
	struct tact_task_info info = {0};
	struct gap gap = {0};
	uint64_t charged_ns;

	expect_ok(tact_task_inquire(task, &info));
	gap.run_ns = info.run_ns;
	gap.switches = info.switches;
	gap.turns = info.switches - worker->looked_switches;
	charged_ns = info.run_ns - worker->looked_run_ns;
	gap.lost_ns = charged_ns > got_on_ns ? charged_ns - got_on_ns : 0;
	/* In virtual time only a seed takes time. */
	if (!test_exact() && gap.lost_ns > (gap.turns + 1) * STOLEN_MIN_NS)
		gap.stolen_ns = gap.lost_ns - (gap.turns + 1) * worker->work->event_ns;
	return gap;
}

/* A debt beside a slice is at most four events. */
static void count_stolen(struct worker *worker, uint64_t stolen_ns)
{
	uint64_t most_ns = worker->slice_ns + 4 * worker->work->event_ns;

	if (!stolen_ns)
		return;
	worker->stolen_ns += stolen_ns;
	worker->thefts++;
	worker->paid_ns += stolen_ns < most_ns ? stolen_ns : most_ns;
	if (stolen_ns >= worker->work->period_ns) {
		worker->gone_ns += stolen_ns;
		worker->long_thefts++;
	}
}

/*
 * A worker looks once in each turn in which it computes. If a turn had no instruction, a more
 * urgent task may have cut it off, at the cost of an event. If the turn was longer than that, and
 * as long as a slice that has paid a debt, it was a slice. A theft may also have been one.
 */
static void count_turns(struct worker *worker, const struct gap *gap)
{
	uint64_t event_ns = worker->work->event_ns;
	uint64_t shortest_ns =
		worker->slice_ns / 4 > 2 * event_ns ? worker->slice_ns / 4 : 2 * event_ns;

	worker->turns += gap->turns;
	if (gap->turns > 1 && !gap->stolen_ns &&
	    gap->lost_ns > (gap->turns - 1) * event_ns + shortest_ns)
		worker->empty++;
}

/* An inquiry looks through the part of the stack that was never used: 10 us for all of it. */
static __attribute__((noinline)) void use_stack(void)
{
	volatile char deep[STACK_USED];

	for (size_t i = 0; i < sizeof(deep); i += 64)
		deep[i] = 1;
}

static void compute(void *arg)
{
	struct worker *worker = arg;

	use_stack();
	for (;;) {
		uint64_t now_ns;
		struct gap gap;

		if (test_on_sim())
			tact_compute(1000);
		now_ns = tact_now().ns;
		if (now_ns - worker->last_ns < GAP_NS) {
			worker->last_ns = now_ns;
			continue;
		}
		worker->got_on_ns += worker->last_ns - worker->looked_ns;
		gap = since_look(worker, TACT_SELF);
		if (worker->looked_ns) {
			count_stolen(worker, gap.stolen_ns);
			count_turns(worker, &gap);
		}
		worker->looked_run_ns = gap.run_ns;
		worker->looked_switches = gap.switches;
		worker->last_ns = tact_now().ns;
		worker->looked_ns = worker->last_ns;
	}
}

static void employ(struct worker *worker, uint32_t priority, struct tact_sched_param sched)
{
	struct tact_task_attr attr = {.priority = priority, .sched = &sched};

	expect_ok(tact_task_spawn(&attr, compute, worker, &worker->task));
}

static void employ_all(struct work *work, tact_quota_t group)
{
	struct worker *worker = work->worker;

	for (int i = 0; i < WORKERS; i++)
		worker[i].work = work;
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

/* The part of a difference that thefts explain: less and more than requested. */
struct leeway {
	double less_ns, more_ns;
};

static void judge_worker(struct work *work, int i, double asked, struct leeway leeway)
{
	const struct worker *worker = &work->worker[i];
	double received = (double)(worker->run_ns - worker->stolen_ns);

	if (received + leeway.less_ns < 0.98 * asked || received - leeway.more_ns > 1.02 * asked)
		tell(work->shares, i, "received of what it asked for", received / asked);
	else if ((received < 0.98 * asked && leeway.less_ns > asked / 10) ||
		 (received > 1.02 * asked && leeway.more_ns > asked / 10))
		work->shares->disturbed = true;
	/* This also contains the begin and end of its turns. */
	if ((double)worker->got_on_ns < received / 4)
		tell(work->shares, i, "got on for, of what it received",
		     (double)worker->got_on_ns / received);
	/* The machine takes a little now and then, and a whole slice of the smallest with it. A
	 * seed has events cost more than the limits say. */
	if ((test_exact() || !test_on_sim()) &&
	    worker->empty > (test_exact() ? 0 : worker->turns / 50))
		tell(work->shares, i, "slices in which it did not get on",
		     (double)worker->empty / (double)worker->turns);
	if (getenv("TEST_SHARES"))
		fprintf(stderr,
			"# times %.2f seed %llu slice %llu worker %d asked %.0f us %+.4f leeway "
			"-%.4f +%.4f stolen %llu us in %llu got on for %.2f empty %llu of %llu\n",
			work->shares->times, (unsigned long long)work->shares->seed,
			(unsigned long long)worker->slice_ns, i, asked / 1000, received / asked - 1,
			leeway.less_ns / asked, leeway.more_ns / asked,
			(unsigned long long)worker->stolen_ns / 1000,
			(unsigned long long)worker->thefts, (double)worker->got_on_ns / received,
			(unsigned long long)worker->empty, (unsigned long long)worker->turns);
}

/*
 * A theft of whole periods takes their budgets from all tasks. The budget of the first period may
 * already be used, and the last period may have time for all of its budget. A shorter theft takes
 * none, but a sporadic server's next budget comes later by the delay of its last run. Tasks that
 * take turns pay for their own thefts.
 */
static void judge(struct work *work)
{
	double stolen_ns = 0, gone_ns = 0, long_thefts = 0, turns_ns = 0, turns_paid_ns = 0;

	for (int i = 0; i < WORKERS; i++) {
		const struct worker *worker = &work->worker[i];

		stolen_ns += (double)worker->stolen_ns;
		gone_ns += (double)worker->gone_ns;
		long_thefts += (double)worker->long_thefts;
		if (i < TURN)
			continue;
		turns_ns += (double)(worker->run_ns - worker->stolen_ns);
		turns_paid_ns += (double)worker->paid_ns;
	}
	work->shares->good = true;
	work->shares->disturbed = false;
	for (int i = 0; i < WORKERS; i++) {
		const struct worker *worker = &work->worker[i];
		double part_ns = long_thefts * (double)worker->slice_ns;
		struct leeway budget = {.less_ns = (double)worker->paid_ns + part_ns +
						   worker->asked * (stolen_ns - gone_ns),
					.more_ns = 2 * part_ns};
		struct leeway turns = {.less_ns = (double)worker->paid_ns,
				       .more_ns = worker->asked * turns_paid_ns};

		if (i < TURN)
			judge_worker(work, i, worker->asked * ((double)work->span_ns - gone_ns),
				     budget);
		else
			judge_worker(work, i, worker->asked * turns_ns, turns);
	}
	/* What only much of thefts explains tells nothing. Else it is good or bad. */
	if (!work->shares->good)
		work->shares->disturbed = false;
	else if (work->shares->disturbed)
		work->shares->good = false;
}

static void begin_count(struct worker *worker)
{
	struct gap gap = since_look(worker, worker->task);

	worker->run_ns = -gap.run_ns;
	worker->looked_run_ns += gap.stolen_ns; /* of before */
	worker->stolen_ns = worker->paid_ns = worker->thefts = worker->gone_ns =
		worker->long_thefts = 0;
	worker->got_on_ns = worker->turns = worker->empty = 0;
}

static void end_count(struct worker *worker)
{
	struct gap gap = since_look(worker, worker->task);

	count_stolen(worker, gap.stolen_ns);
	worker->run_ns += gap.run_ns;
}

/* Above all of them, so that it looks at their clocks at one instant. */
static void watch(void *arg)
{
	struct work work = {.shares = arg};
	struct tact_sched_limits limits = {0};
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
