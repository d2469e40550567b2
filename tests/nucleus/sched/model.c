/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random sets of tasks of the classes with quanta and budgets, below one that computes above all of
 * them, against a model of each CPU: what each task had of the processor by the end. The model
 * knows the rules and nothing of the nucleus. A set in which two events are so close to each other
 * that the time that code takes decides their order is passed over.
 */
#include <stdio.h>
#include <stdlib.h>

#include "exact.h"

#define SETS       19
#define TRIES_MOST 55
#define LEAD_NS    (60 * TEST_MS) /* until the first job: all is made, and budgets are as new */
#define HORIZON_NS (100 * TEST_MS)
#define TIE_NS     1000u  /* events that are closer have no order */
#define CLOSE_NS   60000u /* what run times may differ by */
#define CHUNKS     8
#define CPUS_MOST  4

enum {
	ABOVE,
	SERVER,
	SECOND_SERVER,
	SPORADIC,
	MEMBER,
	SECOND_MEMBER,
	TURN,
	SECOND_TURN,
	THIRD_TURN,
	TASKS
};

static const uint32_t priorities[TASKS] = {45, 40, 40, 35, 30, 30, 20, 20, 20};

/* A task that computes for work_ns in each period_ns from phase_ns on, and its state in the
 * model. */
struct job {
	uint64_t phase_ns, period_ns, work_ns;
	uint64_t slice_ns;   /* quantum, budget */
	uint64_t renewal_ns; /* period of the budget */
	tact_task_t task;

	bool asleep, throttled, low;
	uint64_t release_ns, rest_ns, run_ns;
	uint64_t place; /* in its level: the lowest one is first */
	uint64_t left_ns, used_ns, begun_ns, deadline_ns;
	uint64_t chunk_ns[CHUNKS + 1], amount_ns[CHUNKS + 1];
	uint32_t chunks, chunks_most;
};

struct set {
	struct job job[TASKS];
	uint64_t quota_ns, interval_ns, quota_left_ns, interval_end_ns;
	tact_quota_t group;
	uint64_t places;
	bool tie;
};

static struct set sets[CPUS_MOST];
static tact_time_t start;
static uint64_t random_state;

static uint64_t between(uint64_t low, uint64_t high)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return low + random_state % (high - low + 1);
}

static void draw(struct set *set)
{
	*set = (struct set){.quota_ns = between(1000000, 5000000)};
	set->interval_ns = set->quota_ns + between(1000000, 15000000);
	for (int i = 0; i < TASKS; i++) {
		struct job *job = &set->job[i];

		job->work_ns = between(300000, i == ABOVE ? 2000000 : 6000000);
		job->period_ns = job->work_ns + between(2000000, 20000000);
		job->phase_ns = between(0, 5000000);
		job->slice_ns = between(500000, 4000000);
		job->renewal_ns = job->slice_ns + between(1000000, 20000000);
		job->chunks_most = (uint32_t)between(1, CHUNKS);
	}
}

/* The model. Instants are counted from the first release. */

static bool is_server(int i)
{
	return i == SERVER || i == SECOND_SERVER;
}

static bool is_member(int i)
{
	return i == MEMBER || i == SECOND_MEMBER;
}

static bool is_turn(int i)
{
	return i >= TURN;
}

static void begin_period(struct job *job, uint64_t now_ns)
{
	job->begun_ns = now_ns;
	job->left_ns = job->slice_ns;
	job->deadline_ns = now_ns + job->renewal_ns;
}

static void note_distance(struct set *set, uint64_t a, uint64_t b)
{
	if ((a > b ? a - b : b - a) < TIE_NS)
		set->tie = true;
}

static void wake(struct set *set, int i, uint64_t now_ns)
{
	struct job *job = &set->job[i];

	job->asleep = false;
	job->rest_ns = job->work_ns;
	job->release_ns += job->period_ns;
	job->place = ++set->places;
	if (is_server(i) && !job->throttled) {
		uint64_t rest_ns = job->deadline_ns > now_ns ? job->deadline_ns - now_ns : 0;
		uint64_t fair_ns =
			(uint64_t)((unsigned __int128)rest_ns * job->slice_ns / job->renewal_ns);

		if (rest_ns)
			note_distance(set, fair_ns, job->left_ns);
		if (!rest_ns || job->left_ns > fair_ns)
			begin_period(job, now_ns);
	}
}

static uint32_t level_of(const struct set *set, int i)
{
	return i == SPORADIC && set->job[i].low ? 5 : priorities[i];
}

static bool can_run(const struct set *set, int i)
{
	return !set->job[i].asleep && !set->job[i].throttled &&
	       !(is_member(i) && !set->quota_left_ns);
}

static int pick(struct set *set)
{
	int first = -1;

	for (int i = 0; i < TASKS; i++) {
		const struct job *a = &set->job[i], *b = first < 0 ? NULL : &set->job[first];

		if (!can_run(set, i))
			continue;
		if (!b || level_of(set, i) > level_of(set, first)) {
			first = i;
			continue;
		}
		if (level_of(set, i) < level_of(set, first))
			continue;
		if (is_server(i)) {
			note_distance(set, a->deadline_ns, b->deadline_ns);
			if (a->deadline_ns < b->deadline_ns)
				first = i;
		} else if (a->place < b->place) {
			first = i;
		}
	}
	return first;
}

static void bring_back(struct set *set, struct job *job, uint64_t at_ns, uint64_t amount_ns)
{
	uint32_t place = job->chunks;
	uint32_t nearest = 0;

	for (uint32_t i = 0; i < job->chunks; i++)
		if (job->chunk_ns[i] == at_ns) {
			job->amount_ns[i] += amount_ns;
			return;
		}
	for (; place && job->chunk_ns[place - 1] > at_ns; place--) {
		job->chunk_ns[place] = job->chunk_ns[place - 1];
		job->amount_ns[place] = job->amount_ns[place - 1];
	}
	job->chunk_ns[place] = at_ns;
	job->amount_ns[place] = amount_ns;
	if (++job->chunks <= job->chunks_most)
		return;
	for (uint32_t i = 1; i + 1 < job->chunks; i++) {
		uint64_t gap_ns = job->chunk_ns[i + 1] - job->chunk_ns[i];
		uint64_t least_ns = job->chunk_ns[nearest + 1] - job->chunk_ns[nearest];

		note_distance(set, gap_ns, least_ns);
		if (gap_ns < least_ns)
			nearest = i;
	}
	job->amount_ns[nearest + 1] += job->amount_ns[nearest];
	job->chunks--;
	for (uint32_t i = nearest; i < job->chunks; i++) {
		job->chunk_ns[i] = job->chunk_ns[i + 1];
		job->amount_ns[i] = job->amount_ns[i + 1];
	}
}

/* The running task has run until now. */
static void charge(struct set *set, int i, uint64_t ran_ns)
{
	struct job *job = &set->job[i];

	job->run_ns += ran_ns;
	job->rest_ns -= ran_ns;
	if (is_server(i) || is_turn(i))
		job->left_ns -= ran_ns;
	if (is_member(i))
		set->quota_left_ns -= ran_ns;
	if (i == SPORADIC && !job->low && ran_ns) {
		job->left_ns -= ran_ns;
		job->used_ns += ran_ns;
	}
}

/* A run of the sporadic server is over, or continues as another run. */
static void end_run(struct set *set)
{
	struct job *job = &set->job[SPORADIC];

	if (job->used_ns)
		bring_back(set, job, job->begun_ns + job->renewal_ns, job->used_ns);
	job->used_ns = 0;
}

/* The earliest event so far, and whether another one is close to it. */
struct next {
	uint64_t at_ns, second_ns;
};

static void consider(struct next *next, uint64_t at_ns)
{
	if (at_ns < next->at_ns) {
		next->second_ns = next->at_ns;
		next->at_ns = at_ns;
	} else if (at_ns < next->second_ns) {
		next->second_ns = at_ns;
	}
}

static struct next next_event(const struct set *set, int current, uint64_t now_ns)
{
	struct next next = {HORIZON_NS, UINT64_MAX};

	for (int i = 0; i < TASKS; i++) {
		const struct job *job = &set->job[i];

		if (job->asleep)
			consider(&next, job->release_ns);
		if (is_server(i) && job->throttled)
			consider(&next, job->begun_ns + job->renewal_ns);
	}
	if (set->job[SPORADIC].chunks)
		consider(&next, set->job[SPORADIC].chunk_ns[0]);
	consider(&next, set->interval_end_ns);
	if (current < 0)
		return next;
	consider(&next, now_ns + set->job[current].rest_ns);
	if (is_server(current) || is_turn(current) ||
	    (current == SPORADIC && !set->job[current].low))
		consider(&next, now_ns + set->job[current].left_ns);
	if (is_member(current))
		consider(&next, now_ns + set->quota_left_ns);
	return next;
}

static void end_job(struct set *set, int i, uint64_t now_ns)
{
	struct job *job = &set->job[i];

	note_distance(set, now_ns, job->release_ns);
	if (job->release_ns <= now_ns) {
		job->rest_ns = job->work_ns;
		job->release_ns += job->period_ns;
		return;
	}
	job->asleep = true;
	if (is_turn(i))
		job->left_ns = job->slice_ns;
}

static void slice_over(struct set *set, int i, uint64_t now_ns)
{
	struct job *job = &set->job[i];

	if (is_server(i)) {
		uint64_t end_ns = job->begun_ns + job->renewal_ns;

		/* More urgent ones kept it waiting beyond its period: it is in another one. */
		note_distance(set, now_ns, end_ns);
		if (end_ns <= now_ns) {
			uint64_t over = (now_ns - job->begun_ns) / job->renewal_ns;

			note_distance(set, now_ns, end_ns + over * job->renewal_ns);
			begin_period(job, job->begun_ns + over * job->renewal_ns);
			return;
		}
		job->throttled = true;
	} else if (is_turn(i)) {
		job->left_ns = job->slice_ns;
		job->place = ++set->places;
	} else if (i == SPORADIC) {
		end_run(set);
		job->low = true;
	}
}

static void serve(struct set *set, int current, uint64_t now_ns)
{
	struct job *sporadic = &set->job[SPORADIC];

	if (current >= 0) {
		struct job *job = &set->job[current];

		if (!job->rest_ns)
			end_job(set, current, now_ns);
		else if (!job->left_ns && current != ABOVE && !is_member(current) && !job->low)
			slice_over(set, current, now_ns);
	}
	for (int i = 0; i < TASKS; i++) {
		struct job *job = &set->job[i];

		if (is_server(i) && job->throttled && job->begun_ns + job->renewal_ns == now_ns) {
			job->throttled = false;
			job->place = ++set->places;
			begin_period(job, now_ns);
		}
		if (job->asleep && job->release_ns == now_ns)
			wake(set, i, now_ns);
	}
	if (sporadic->chunks && sporadic->chunk_ns[0] == now_ns) {
		uint64_t amount_ns = sporadic->amount_ns[0];

		sporadic->chunks--;
		for (uint32_t i = 0; i < sporadic->chunks; i++) {
			sporadic->chunk_ns[i] = sporadic->chunk_ns[i + 1];
			sporadic->amount_ns[i] = sporadic->amount_ns[i + 1];
		}
		end_run(set);
		sporadic->left_ns += amount_ns;
		sporadic->low = false;
		sporadic->begun_ns = now_ns;
	}
	if (set->interval_end_ns == now_ns) {
		set->interval_end_ns += set->interval_ns;
		set->quota_left_ns = set->quota_ns;
	}
}

static void run_model(struct set *set)
{
	uint64_t now_ns = 0;
	int last = -1;

	set->quota_left_ns = set->quota_ns;
	for (int i = 0; i < TASKS; i++) {
		set->job[i].asleep = true;
		set->job[i].release_ns = set->job[i].phase_ns;
		set->job[i].left_ns = set->job[i].slice_ns;
	}
	while (now_ns < HORIZON_NS) {
		int current = pick(set);
		struct next next;

		if (last == SPORADIC && current != SPORADIC)
			end_run(set);
		if (current == SPORADIC && last != SPORADIC)
			set->job[SPORADIC].begun_ns = now_ns;
		last = current;
		next = next_event(set, current, now_ns);
		note_distance(set, next.at_ns, next.second_ns);
		if (current >= 0)
			charge(set, current, next.at_ns - now_ns);
		now_ns = next.at_ns;
		serve(set, current, now_ns);
	}
}

/* The nucleus. */

static void work(void *arg)
{
	const struct job *job = arg;

	for (uint64_t release_ns = job->phase_ns;; release_ns += job->period_ns) {
		expect_ok(tact_task_sleep_until(tact_at(tact_time_add(start, release_ns))));
		tact_compute(job->work_ns);
	}
}

static struct tact_sched_param class_of(const struct set *set, int i)
{
	const struct job *job = &set->job[i];

	if (is_server(i))
		return (struct tact_sched_param){.sched_class = TACT_SCHED_CBS,
						 .budget_ns = job->slice_ns,
						 .deadline_ns = job->renewal_ns,
						 .replenish_ns = job->renewal_ns};
	if (i == SPORADIC)
		return (struct tact_sched_param){.sched_class = TACT_SCHED_SPORADIC,
						 .budget_ns = job->slice_ns,
						 .replenish_ns = job->renewal_ns,
						 .low_priority = 5,
						 .replenish_max = job->chunks_most};
	if (is_member(i))
		return (struct tact_sched_param){.sched_class = TACT_SCHED_QUOTA,
						 .quota_group = set->group};
	if (is_turn(i))
		return (struct tact_sched_param){.sched_class = TACT_SCHED_RR,
						 .quantum_ns = job->slice_ns};
	return (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO};
}

static void employ(struct set *set, uint32_t cpu)
{
	uint64_t since_ns;

	expect_ok(tact_quota_create(NULL, set->interval_ns, set->quota_ns, 0, TACT_ON_CPU(cpu),
				    &set->group));
	since_ns = start.ns - tact_now().ns;
	set->interval_end_ns = set->interval_ns - since_ns % set->interval_ns;
	for (int i = 0; i < TASKS; i++) {
		const struct tact_sched_param sched = class_of(set, i);
		struct tact_task_attr attr = {.priority = priorities[i],
					      .flags = TACT_TASK_LIGHT | TACT_ON_CPU(cpu),
					      .sched = &sched};

		expect_ok(tact_task_spawn(&attr, work, &set->job[i], &set->job[i].task));
	}
}

static void compare(const struct set *set, uint64_t seed, uint32_t cpu,
		    const uint64_t run_ns[TASKS])
{
	for (int i = 0; i < TASKS; i++) {
		uint64_t model_ns = set->job[i].run_ns;

		if (run_ns[i] + CLOSE_NS < model_ns || run_ns[i] > model_ns + CLOSE_NS)
			test_fail(
				__FILE__, __LINE__,
				"TEST_SEED=%llu: task %d of CPU %u ran for %llu ns, its model for "
				"%llu",
				(unsigned long long)seed, i, cpu, (unsigned long long)run_ns[i],
				(unsigned long long)model_ns);
	}
}

/* Returns whether any CPU could be compared. */
static bool run_set(uint64_t seed, uint32_t cpus)
{
	uint64_t run_ns[CPUS_MOST][TASKS];
	bool compared = false;

	random_state = seed * 0x9e3779b97f4a7c15u | 1;
	start = tact_time_add(tact_now(), LEAD_NS);
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		draw(&sets[cpu]);
		employ(&sets[cpu], cpu);
	}
	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(start, HORIZON_NS))));
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		for (int i = 0; i < TASKS; i++) {
			struct tact_task_info info = {0};

			expect_ok(tact_task_inquire(sets[cpu].job[i].task, &info));
			run_ns[cpu][i] = info.run_ns;
		}
	for (uint32_t cpu = 0; cpu < cpus; cpu++) {
		for (int i = 0; i < TASKS; i++)
			expect_ok(tact_task_delete(sets[cpu].job[i].task));
		expect_ok(tact_quota_delete(sets[cpu].group));
		run_model(&sets[cpu]);
		if (sets[cpu].tie)
			continue;
		compare(&sets[cpu], seed, cpu, run_ns[cpu]);
		compared = true;
	}
	return compared;
}

static void run_sets(uint32_t cpus)
{
	const char *given = getenv("TEST_SEED");
	int compared = 0;

	if (!test_exact())
		test_skip("instants are virtual time's");
	if (given) {
		expect_true(run_set(strtoull(given, NULL, 0), cpus));
		return;
	}
	for (uint64_t seed = 1; seed <= TRIES_MOST && compared < SETS; seed++)
		compared += run_set(seed + 1000 * cpus, cpus);
	expect_eq(compared, SETS);
}

TASK_TEST(run_times_equal_the_model_on_one_cpu)
{
	run_sets(1);
}

TASK_TEST_CPUS(2, run_times_equal_the_model_on_two_cpus)
{
	run_sets(2);
}

TASK_TEST_CPUS(3, run_times_equal_the_model_on_three_cpus)
{
	run_sets(3);
}

TASK_TEST_CPUS(4, run_times_equal_the_model_on_four_cpus)
{
	run_sets(4);
}
