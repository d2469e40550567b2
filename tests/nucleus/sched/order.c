/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which task runs first: FIFO, round robin, EDF within a level. */
#include "exact.h"

static tact_time_t start;
static const struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};

static void mark_it(void *arg)
{
	mark(arg);
}

/* Suspended: creating a full task asks Linux, and meanwhile others run. go() lets all begin. */
static tact_task_t spawn(uint32_t priority, struct tact_sched_param sched, void (*entry)(void *),
			 void *arg)
{
	struct tact_task_attr attr = {
		.priority = priority, .flags = TACT_TASK_SUSPENDED, .sched = &sched};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, entry, arg, &task));
	return task;
}

static void go(const tact_task_t *task, int count)
{
	expect_ok(tact_task_sleep(TEST_MS));
	start = tact_now();
	for (int i = 0; i < count; i++)
		expect_ok(tact_task_resume(task[i]));
}

static void join_all(tact_task_t *task, int count)
{
	for (int i = 0; i < count; i++)
		test_join(task[i]);
}

TASK_TEST(fifo_runs_in_order_of_arrival)
{
	tact_task_t task[4];

	task[0] = spawn(10, fifo, mark_it, "a");
	task[1] = spawn(20, fifo, mark_it, "b");
	task[2] = spawn(10, fifo, mark_it, "c");
	task[3] = spawn(20, fifo, mark_it, "d");
	go(task, 4);
	join_all(task, 4);
	expect_marks("b d a c");
}

static void compute_and_mark(void *arg)
{
	tact_compute(3 * TEST_MS);
	mark(arg);
}

TASK_TEST(preempted_task_keeps_its_place)
{
	tact_task_t task[3];

	task[0] = spawn(20, fifo, compute_and_mark, "first");
	task[1] = spawn(20, fifo, mark_it, "second");
	task[2] = spawn(20, fifo, mark_it, "third");
	go(task, 2);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_ok(tact_task_resume(task[2]));
	join_all(task, 3);
	expect_marks("first second third");
}

static void six_slices(void *arg)
{
	for (int i = 0; i < 3; i++) {
		mark(arg);
		tact_compute(2 * TEST_MS);
	}
}

TASK_TEST(round_robin_takes_turns)
{
	struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR, .quantum_ns = 2 * TEST_MS};
	tact_task_t task[2];

	task[0] = spawn(20, rr, six_slices, "a");
	task[1] = spawn(20, rr, six_slices, "b");
	go(task, 2);
	join_all(task, 2);
	if (test_exact())
		expect_marks("a b a b a b");
}

static uint64_t switched_ns[8];
static int switches;

/* Notes the instants at which it was given the processor. */
static void note_turns(void *arg)
{
	tact_time_t last = {0};

	(void)arg;
	for (int i = 0; i < 3000; i++) {
		tact_time_t now = tact_now();

		if (now.ns > last.ns + 100000 && switches < 8)
			switched_ns[switches++] = now.ns - start.ns;
		last = now;
		tact_compute(2000);
	}
}

static void expect_near(uint64_t actual, uint64_t expected)
{
	if (actual + 10000 < expected || actual > expected + 10000)
		test_fail(__FILE__, __LINE__, "instant: expected %llu, actual %llu",
			  (unsigned long long)expected, (unsigned long long)actual);
}

TASK_TEST(quantum_ends_at_its_instant)
{
	struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR, .quantum_ns = TEST_MS};
	tact_task_t task[2];

	if (!test_exact())
		test_skip("instants are virtual time's");
	task[0] = spawn(20, rr, note_turns, NULL);
	rr.quantum_ns = 2 * TEST_MS;
	task[1] = spawn(20, rr, note_turns, NULL);
	go(task, 2);
	join_all(task, 2);
	expect_near(switched_ns[0], 0);
	expect_near(switched_ns[1], TEST_MS);
	expect_near(switched_ns[2], 3 * TEST_MS);
	expect_near(switched_ns[3], 4 * TEST_MS);
	expect_near(switched_ns[4], 6 * TEST_MS);
}

TASK_TEST(quantum_changes_at_run_time)
{
	struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR, .quantum_ns = 50 * TEST_MS};
	struct tact_sched_param now = {0};
	tact_task_t task[2];

	expect_error(tact_task_set_quantum(TACT_SELF, TEST_MS), TACT_ENOTSUP);
	task[0] = spawn(20, rr, note_turns, NULL);
	task[1] = spawn(20, rr, mark_it, "second");
	go(task, 2);
	expect_error(tact_task_set_quantum(task[0], 999), TACT_EINVAL);
	expect_error(tact_task_set_quantum((tact_task_t){0x12345}, TEST_MS), TACT_EBADF);
	expect_ok(tact_task_sleep(TEST_MS));
	expect_marks("");
	expect_ok(tact_task_set_quantum(task[0], 2 * TEST_MS));
	expect_ok(tact_task_get_sched(task[0], &now));
	expect_eq(now.quantum_ns, 2 * TEST_MS);
	test_join(task[1]);
	expect_ok(tact_task_inquire(task[0], NULL));
	if (test_exact())
		expect_eq(tact_task_join(task[0], TACT_NOWAIT), -TACT_EAGAIN);
	test_join(task[0]);
}

/* Asking for the run time splits it, and takes nothing from the quantum nor gives to it. */
static void ask_often(void *arg)
{
	for (int i = 0; i < 400; i++) {
		expect_ok(tact_task_inquire(TACT_SELF, NULL));
		tact_compute(10000);
		if (i % 100 == 0)
			mark(arg);
	}
}

TASK_TEST(inquiry_does_not_prolong_a_quantum)
{
	struct tact_sched_param rr = {.sched_class = TACT_SCHED_RR, .quantum_ns = TEST_MS};
	tact_task_t task[2];

	if (!test_exact())
		test_skip("instants are virtual time's");
	task[0] = spawn(20, rr, ask_often, "a");
	task[1] = spawn(20, rr, ask_often, "b");
	go(task, 2);
	join_all(task, 2);
	expect_marks("a b a b a b a b");
}

static struct tact_sched_param edf(uint64_t deadline_ns)
{
	return (struct tact_sched_param){.sched_class = TACT_SCHED_EDF, .deadline_ns = deadline_ns};
}

TASK_TEST(earliest_deadline_runs_first_and_before_fifo)
{
	tact_task_t task[5];

	task[0] = spawn(20, fifo, mark_it, "fifo");
	task[1] = spawn(20, edf(30 * TEST_MS), mark_it, "late");
	task[2] = spawn(20, edf(10 * TEST_MS), mark_it, "early");
	task[3] = spawn(20, edf(20 * TEST_MS), mark_it, "middle");
	task[4] = spawn(30, fifo, mark_it, "above");
	go(task, 5);
	join_all(task, 5);
	expect_marks("above early middle late fifo");
}

static void periodic_job(void *arg)
{
	uint64_t compute_ns = *(uint64_t *)arg;

	for (int i = 0; i < 10; i++) {
		int result = tact_task_wait_period(NULL, NULL);

		expect_true(result == 0 || result == -TACT_ETIMEDOUT);
		tact_compute(compute_ns);
	}
}

/* Utilisation 0.4 + 0.5: beyond what fixed priorities promise, within EDF's bound. */
TASK_TEST(edf_meets_deadlines_up_to_full_load_and_counts_those_missed)
{
	uint64_t compute[2] = {2 * TEST_MS, 7 * TEST_MS / 2};
	struct tact_task_info info = {0};
	tact_task_t task[2];

	if (!test_exact())
		test_skip("deadlines are met in virtual time only");
	for (int round = 0; round < 2; round++) {
		uint64_t period[2] = {5 * TEST_MS, 7 * TEST_MS};
		tact_time_t first = tact_time_add(tact_now(), TEST_MS);

		if (round)
			compute[0] = 6 * TEST_MS;
		for (int i = 0; i < 2; i++) {
			const struct tact_sched_param sched = edf(period[i]);
			struct tact_task_attr attr = {.priority = 20, .sched = &sched};

			expect_ok(tact_task_create(&attr, &task[i]));
			expect_ok(tact_task_set_periodic(task[i], first, period[i]));
			expect_ok(tact_task_start(task[i], periodic_job, &compute[i]));
		}
		expect_ok(tact_task_sleep(35 * TEST_MS));
		expect_ok(tact_task_inquire(task[0], &info));
		if (round)
			expect_true(info.deadlines_missed >= 3);
		else
			expect_eq(info.deadlines_missed, 0);
		join_all(task, 2);
	}
}

static void late_once(void *arg)
{
	(void)arg;
	tact_compute(2 * TEST_MS);
	expect_ok(tact_task_sleep(TEST_MS));
	mark("late");
	expect_ok(tact_task_suspend(TACT_SELF));
}

TASK_TEST(deadline_counts_from_the_wake_up_without_periods)
{
	struct tact_task_info info = {0};
	tact_task_t task = spawn(20, edf(TEST_MS), late_once, NULL);

	go(&task, 1);
	while (!*test_marks())
		expect_ok(tact_task_sleep(TEST_MS));
	test_until_state(task, TACT_TASK_STATE_SUSPENDED);
	expect_ok(tact_task_inquire(task, &info));
	expect_true(info.deadlines_missed >= 1);
	if (test_exact())
		expect_eq(info.deadlines_missed, 1);
	expect_ok(tact_task_resume(task));
	test_join(task);
}

TASK_TEST(parameters_are_checked)
{
	static const struct tact_sched_param bad[] = {
		{.sched_class = TACT_SCHED_RR, .quantum_ns = 999},
		{.sched_class = TACT_SCHED_RR, .quantum_ns = UINT64_MAX},
		{.sched_class = TACT_SCHED_EDF},
		{.sched_class = TACT_SCHED_EDF, .deadline_ns = UINT64_MAX},
		{.sched_class = TACT_SCHED_SPORADIC,
		 .budget_ns = 10,
		 .replenish_ns = 2000,
		 .low_priority = 1},
		{.sched_class = TACT_SCHED_SPORADIC,
		 .budget_ns = 3000,
		 .replenish_ns = 2000,
		 .low_priority = 1},
		{.sched_class = TACT_SCHED_SPORADIC, .budget_ns = 2000, .replenish_ns = 3000},
		{.sched_class = TACT_SCHED_SPORADIC,
		 .budget_ns = 2000,
		 .replenish_ns = 3000,
		 .low_priority = TEST_PRIORITY},
		{.sched_class = TACT_SCHED_SPORADIC,
		 .budget_ns = 2000,
		 .replenish_ns = 3000,
		 .low_priority = 1,
		 .replenish_max = 9},
		{.sched_class = TACT_SCHED_PARTITION, .partition = 32},
		{.sched_class = TACT_SCHED_CBS + 1},
	};
	struct tact_sched_param now = {0};

	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct tact_task_attr attr = {.priority = TEST_PRIORITY, .sched = &bad[i]};

		if (tact_task_set_sched(TACT_SELF, &bad[i]) != -TACT_EINVAL ||
		    tact_task_create(&attr, NULL) != -TACT_EINVAL)
			test_fail(__FILE__, __LINE__, "parameters %u were not refused", i);
	}
	expect_error(tact_task_set_sched(TACT_SELF, NULL), TACT_EINVAL);
	expect_error(
		tact_task_set_sched((tact_task_t){0x12345},
				    &(struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}),
		TACT_EBADF);
	expect_ok(tact_task_get_sched(TACT_SELF, &now));
	expect_eq(now.sched_class, TACT_SCHED_FIFO);
	expect_error(tact_task_get_sched((tact_task_t){0x12345}, &now), TACT_EBADF);
}
