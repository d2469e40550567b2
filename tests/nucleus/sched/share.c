/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What tasks of classes with quanta and budgets get of the processor, at the smallest values that
 * are accepted and above, while events come early and late: each its share, as long as it is looked
 * at for long enough. In virtual time events come as early as is anticipated, and never late.
 */
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

#define EARLY_NS      20000u /* virtual time's */
#define GAP_NS        2000u
#define STOLEN_MIN_NS 100000u /* more than an event takes */
#define RUNS          10
#define RUNS_AT_ONCE  3 /* all good: that is enough */
#define RUNS_GOOD     9
#define RUNS_MOST     30

static char reason[TACT_REASON_BYTES];

/* A task that computes, and sees what is taken from it within its turns. */
struct worker {
	tact_task_t task;
	/* When it looked at its clocks last, and until when it has got on since. */
	volatile uint64_t looked_ns, looked_run_ns, last_ns;
	uint64_t stolen_ns; /* charged to it while it did not get on, beyond what an event takes */
	uint64_t thefts;
	uint64_t got_on_ns;
	uint64_t longest_ns;
	uint64_t run_ns; /* charged to it */
	double asked;    /* share of all time; 0: none is */
};

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

static void work(void *arg)
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
		if (worker->looked_ns)
			count_stolen(worker, run_ns);
		worker->looked_run_ns = run_ns;
		worker->last_ns = tact_now().ns;
		worker->looked_ns = worker->last_ns;
	}
}

static void employ(struct worker *worker, uint32_t priority, struct tact_sched_param sched,
		   double asked)
{
	struct tact_task_attr attr = {.priority = priority, .sched = sched};

	*worker = (struct worker){.asked = asked};
	expect_ok(tact_task_spawn(&attr, work, worker, &worker->task));
}

enum { CBS, QUOTA, SPORADIC, TURN, LONG_TURN, WORKERS };

struct shares {
	uint64_t slice_ns;
	uint64_t debt_ns; /* most that it may owe for what the machine took */
	bool good; /* each is within 2 % of what was asked for, and tasks get on in their turns */
	bool disturbed; /* so often was something taken from a task that what it owes for that is
			   not small any more: it tells nothing */
};

static void judge(const struct worker worker[WORKERS], struct shares *shares, uint64_t span_ns)
{
	uint64_t stolen_ns = 0, longest_ns = 0, turns_ns = 0;

	for (int i = 0; i < WORKERS; i++) {
		stolen_ns += worker[i].stolen_ns;
		if (worker[i].longest_ns > longest_ns)
			longest_ns = worker[i].longest_ns;
		if (!worker[i].asked)
			turns_ns += worker[i].run_ns - worker[i].stolen_ns;
	}
	shares->good = true;
	/* Beside what Linux keeps back from real time at a time. What is taken in small pieces
	 * leaves a budget that comes each period as it is, and lessens what is for turns. */
	shares->disturbed = stolen_ns - longest_ns > span_ns / 100;
	for (int i = 0; i < WORKERS; i++) {
		double asked = worker[i].asked * (double)(span_ns - stolen_ns);
		double received = (double)(worker[i].run_ns - worker[i].stolen_ns);

		if (!worker[i].asked)
			asked = (double)turns_ns * (i == TURN ? 1 : 2) / 3;
		if (received < 0.98 * asked || received > 1.02 * asked)
			shares->good = false;
		/* What begins and ends its turns is in there, too. */
		if ((double)worker[i].got_on_ns < received / 10)
			shares->good = false;
		if ((double)(worker[i].thefts * shares->debt_ns) > asked / 100)
			shares->disturbed = true;
		if (getenv("TEST_SHARES"))
			fprintf(stderr,
				"# slice %llu worker %d asked %+.4f stolen %llu us in %llu got on "
				"for %.2f of it\n",
				(unsigned long long)shares->slice_ns, i, received / asked - 1,
				(unsigned long long)worker[i].stolen_ns / 1000,
				(unsigned long long)worker[i].thefts,
				(double)worker[i].got_on_ns / received);
	}
}

/* Above all of them, so that it looks at their clocks at one instant. */
static void watch(void *arg)
{
	struct shares *shares = arg;
	uint64_t slice_ns = shares->slice_ns;
	struct worker worker[WORKERS] = {0};
	uint64_t run_ns[WORKERS];
	tact_quota_t group;
	tact_time_t begun;
	uint64_t span_ns;

	expect_ok(tact_quota_create(NULL, 10 * slice_ns, slice_ns, 0, 0, &group));
	employ(&worker[CBS], 40,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_CBS,
					 .budget_ns = slice_ns,
					 .deadline_ns = 10 * slice_ns,
					 .replenish_ns = 10 * slice_ns},
	       0.1);
	employ(&worker[QUOTA], 35,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA, .quota_group = group},
	       0.1);
	employ(&worker[SPORADIC], 30,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_SPORADIC,
					 .budget_ns = slice_ns,
					 .replenish_ns = 10 * slice_ns,
					 .low_priority = 10},
	       0.1);
	employ(&worker[TURN], 20,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_RR, .quantum_ns = slice_ns}, 0);
	employ(&worker[LONG_TURN], 20,
	       (struct tact_sched_param){.sched_class = TACT_SCHED_RR, .quantum_ns = 2 * slice_ns},
	       0);
	/* The debts of the beginning are paid. */
	expect_ok(tact_task_sleep(20 * TEST_MS));
	begun = tact_now();
	for (int i = 0; i < WORKERS; i++) {
		run_ns[i] = run_of(worker[i].task);
		worker[i].stolen_ns = -stolen_since_look(&worker[i], run_ns[i]);
		worker[i].thefts = 0;
		worker[i].got_on_ns = 0;
		worker[i].longest_ns = 0;
	}
	expect_ok(tact_task_sleep(test_on_sim() ? 200 * TEST_MS : 1000 * TEST_MS));
	span_ns = tact_now().ns - begun.ns;
	for (int i = 0; i < WORKERS; i++) {
		uint64_t now_ns = run_of(worker[i].task);

		count_stolen(&worker[i], now_ns);
		worker[i].run_ns = now_ns - run_ns[i];
	}
	for (int i = 0; i < WORKERS; i++)
		expect_ok(tact_task_delete(worker[i].task));
	expect_ok(tact_quota_delete(group));
	judge(worker, shares, span_ns);
}

static void begin(void)
{
	static const struct tact_config early = {.gravity.preempt_ns = EARLY_NS};
	static const struct tact_config found = {.cpus = 1};

	expect_ok(test_start(test_on_sim() ? &early : &found, reason));
}

static void expect_shares(uint64_t times)
{
	struct tact_sched_limits limits;
	int good = 0, bad = 0;

	if (test_on_bare())
		test_skip(
			"ten seconds a size: processors here are an emulator's, or Linux's to run");
	begin();
	expect_ok(tact_sched_limits(&limits));
	for (int i = 0; i < RUNS_MOST && good + bad < RUNS; i++) {
		struct shares shares = {.slice_ns = times * limits.slice_min_ns,
					.debt_ns =
						times * limits.slice_min_ns + 16 * limits.event_ns};

		test_join(test_spawn(60, watch, &shares));
		if (shares.good)
			good++;
		else if (!shares.disturbed)
			bad++;
		if (bad > RUNS - RUNS_GOOD)
			test_fail(__FILE__, __LINE__, "shares were kept in %d of %d runs", good,
				  good + bad);
		if ((good == RUNS_AT_ONCE && !bad) || (good && test_exact()))
			break;
	}
	expect_ok(tact_stop());
	if (!good)
		test_skip("the machine takes too much of the processor to tell");
}

TEST_UNSTARTED(smallest_slices_are_kept)
{
	expect_shares(1);
}

TEST_UNSTARTED(larger_slices_are_kept)
{
	expect_shares(5);
}
