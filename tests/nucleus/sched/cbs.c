/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The constant bandwidth server: budgets, periods, yields, wake-ups and reports. */
#include "at.h"

static tact_sem_t sem;

static void until_replenished(tact_task_t task)
{
	test_until_state(task, TACT_TASK_STATE_THROTTLED);
	while (info_of(task).state & TACT_TASK_STATE_THROTTLED)
		expect_ok(tact_task_sleep(TEST_MS));
}

/* 2 ms in each 10, and by the eighth for the constrained one. */
static const struct tact_sched_param server = {.sched_class = TACT_SCHED_CBS,
					       .budget_ns = 2 * TEST_MS,
					       .deadline_ns = 10 * TEST_MS,
					       .replenish_ns = 10 * TEST_MS};
static const struct tact_sched_param constrained = {.sched_class = TACT_SCHED_CBS,
						    .budget_ns = 2 * TEST_MS,
						    .deadline_ns = 8 * TEST_MS,
						    .replenish_ns = 20 * TEST_MS};

TASK_TEST(task_runs_for_its_budget_in_each_period)
{
	tact_task_t rival = test_spawn(20, compute_for_ever, NULL);
	tact_task_t task;

	need_exact();
	start = tact_now();
	task = spawn_as(&server, 20, compute_for_ever, NULL);
	at(1900000);
	expect_eq(info_of(task).state, TACT_TASK_STATE_READY);
	at(2100000);
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	expect_run(task, 2 * TEST_MS);
	at(9900000);
	expect_run(task, 2 * TEST_MS);
	at(15 * TEST_MS);
	expect_run(task, 4 * TEST_MS);
	expect_eq(info_of(task).deadlines_missed, 1);
	at(49 * TEST_MS);
	expect_run(task, 10 * TEST_MS);
	/* No other task gains by it. */
	expect_run(rival, 39 * TEST_MS);
	expect_ok(tact_task_delete(task));
	expect_ok(tact_task_delete(rival));
}

/* On every back end: time that a task does not get is there for others. */
TASK_TEST(one_that_never_waits_leaves_the_rest_of_the_time)
{
	tact_task_t task = spawn_as(&server, 20, compute_for_ever, NULL);

	until_replenished(task);
	test_until_state(task, TACT_TASK_STATE_THROTTLED);
	expect_true(info_of(task).deadlines_missed >= 1);
	expect_ok(tact_task_delete(task));
}

static uint64_t begun_ns[4];

static void yield_often(void *arg)
{
	(void)arg;
	for (int i = 0; i < 4; i++) {
		begun_ns[i] = tact_now().ns - start.ns;
		tact_compute(TEST_MS);
		expect_ok(tact_task_yield());
	}
}

TASK_TEST(yield_waits_for_the_next_period)
{
	tact_task_t task;

	need_exact();
	start = tact_now();
	task = spawn_as(&server, 20, yield_often, NULL);
	at(5 * TEST_MS);
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	at(35 * TEST_MS);
	expect_eq(info_of(task).deadlines_missed, 0);
	test_join(task);
	for (uint64_t i = 1; i < 4; i++)
		if (begun_ns[i] + 1000 < begun_ns[0] + i * 10 * TEST_MS ||
		    begun_ns[i] > begun_ns[0] + i * 10 * TEST_MS + 1000)
			test_fail(__FILE__, __LINE__, "period %llu began after %llu ns",
				  (unsigned long long)i,
				  (unsigned long long)(begun_ns[i] - begun_ns[0]));
}

static void serve(void *arg)
{
	uint64_t work_ns = *(uint64_t *)arg;

	while (tact_sem_wait(sem, TACT_FOREVER) == 0)
		tact_compute(work_ns);
}

static tact_task_t serving(const struct tact_sched_param *sched, uint64_t *work_ns)
{
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sem));
	task = spawn_as(sched, 40, serve, work_ns);
	expect_ok(tact_task_sleep(100 * TEST_MS));
	start = tact_now();
	expect_ok(tact_sem_post(sem));
	return task;
}

/* 1.5 ms at 0; at 1.6, 0.5 ms by 10 is within the share; at 9.9 none of 0.5 ms by 10 is. */
TASK_TEST(wake_up_keeps_the_deadline_within_its_share)
{
	uint64_t work = 3 * TEST_MS / 2;
	tact_task_t task;

	need_exact();
	task = serving(&server, &work);
	at(1600000);
	expect_run(task, work);
	expect_ok(tact_sem_post(sem));
	at(2200000);
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	at(9 * TEST_MS);
	expect_run(task, 2 * TEST_MS);
	at(11500000);
	expect_run(task, 3 * TEST_MS);
	at(19900000);
	expect_ok(tact_sem_post(sem));
	at(22 * TEST_MS);
	/* A period began at 19.9, with all of a budget. */
	expect_run(task, 3 * TEST_MS + work);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(wake_up_before_a_constrained_deadline_has_the_share_left)
{
	uint64_t work = TEST_MS;
	tact_task_t task;

	need_exact();
	task = serving(&constrained, &work);
	at(6 * TEST_MS);
	/* 1 ms is left, but 2 of 8 until the deadline are 0.5. */
	expect_ok(tact_sem_post(sem));
	at(6700000);
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	expect_run(task, 3 * TEST_MS / 2);
	at(19 * TEST_MS);
	expect_run(task, 3 * TEST_MS / 2);
	at(21 * TEST_MS);
	expect_run(task, 2 * TEST_MS);
	expect_ok(tact_task_delete(task));
}

TASK_TEST(wake_up_after_a_constrained_deadline_waits_for_the_next_period)
{
	uint64_t work = TEST_MS;
	tact_task_t task;

	need_exact();
	task = serving(&constrained, &work);
	at(9 * TEST_MS);
	expect_ok(tact_sem_post(sem));
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	at(19900000);
	expect_run(task, TEST_MS);
	at(21500000);
	expect_run(task, 2 * TEST_MS);
	/* Long after the period, one begins. */
	at(90 * TEST_MS);
	expect_ok(tact_sem_post(sem));
	at(91500000);
	expect_run(task, 3 * TEST_MS);
	expect_ok(tact_task_delete(task));
}

static void work_and_wake_late(void *name)
{
	tact_compute(TEST_MS);
	at(9 * TEST_MS);
	tact_compute(TEST_MS);
	mark(name);
}

static void wake_between(void *name)
{
	at(10 * TEST_MS);
	tact_compute(TEST_MS);
	mark(name);
}

static void compute_above(void *unused)
{
	(void)unused;
	at(8 * TEST_MS);
	tact_compute(60 * TEST_MS);
}

/* The wake-up of 9 is served by 68. Its period begins at 20 and has its deadline at 28; a period of
 * 60 would have its deadline at 68, behind the rival's of 50. */
TASK_TEST(period_begins_when_it_is_due_whoever_computes_above)
{
	struct tact_sched_param edf = {.sched_class = TACT_SCHED_EDF, .deadline_ns = 40 * TEST_MS};
	tact_task_t task[3];

	need_exact();
	start = tact_now();
	task[0] = spawn_as(&constrained, 20, work_and_wake_late, "server");
	task[1] = spawn_as(&edf, 20, wake_between, "rival");
	task[2] = test_spawn(40, compute_above, NULL);
	for (int i = 0; i < 3; i++)
		test_join(task[i]);
	expect_marks("server rival");
}

static void own(void *mutex)
{
	expect_ok(tact_mutex_lock(*(tact_mutex_t *)mutex, TACT_FOREVER));
	tact_compute(5 * TEST_MS);
	mark("owner");
	expect_ok(tact_mutex_unlock(*(tact_mutex_t *)mutex));
	compute_for_ever(NULL);
}

TASK_TEST(throttled_owner_runs_for_who_waits)
{
	tact_mutex_t mutex;
	tact_task_t task;

	need_exact();
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	start = tact_now();
	task = spawn_as(&server, 20, own, &mutex);
	at(3 * TEST_MS);
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	mark("waiter");
	expect_marks("owner waiter");
	expect_true(tact_now().ns < start.ns + 7 * TEST_MS);
	/* And is throttled again. */
	at(8 * TEST_MS);
	expect_eq(info_of(task).state, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_mutex_unlock(mutex));
	expect_ok(tact_task_delete(task));
	expect_ok(tact_mutex_delete(mutex));
}

static void expect_told(uint32_t cpu)
{
	struct tact_sched_param sched = server;
	tact_task_t task;

	expect_ok(tact_sem_create(NULL, 0, 10, TACT_ON_CPU(cpu), &sched.overrun_sem));
	task = spawn_as(&sched, 20, compute_for_ever, NULL);
	expect_ok(tact_sem_wait(sched.overrun_sem, tact_in(1000 * TEST_MS)));
	expect_ok(tact_sem_wait(sched.overrun_sem, tact_in(1000 * TEST_MS)));
	/* One that is gone is no harm. */
	expect_ok(tact_sem_delete(sched.overrun_sem));
	until_replenished(task);
	test_until_state(task, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_task_delete(task));
}

TASK_TEST_CPUS(2, semaphore_tells_of_overruns)
{
	expect_told(0);
	expect_told(1);
}

TASK_TEST(yield_is_no_overrun)
{
	struct tact_sched_param sched = server;
	tact_task_t task;

	need_exact();
	start = tact_now();
	expect_ok(tact_sem_create(NULL, 0, 10, 0, &sched.overrun_sem));
	task = spawn_as(&sched, 20, yield_often, NULL);
	test_join(task);
	expect_error(tact_sem_wait(sched.overrun_sem, TACT_NOWAIT), TACT_EAGAIN);
}

TASK_TEST_CPUS(2, throttled_task_moves_and_is_replenished)
{
	tact_task_t task;

	start = tact_now();
	task = spawn_as(&server, 20, compute_for_ever, NULL);
	test_until_state(task, TACT_TASK_STATE_THROTTLED);
	expect_ok(tact_task_migrate(task, 1));
	until_replenished(task);
	expect_eq(info_of(task).cpu, 1);
	test_until_state(task, TACT_TASK_STATE_THROTTLED);
	if (test_exact())
		expect_run(task, 4 * TEST_MS);
	expect_ok(tact_task_set_sched(task,
				      &(struct tact_sched_param){.sched_class = TACT_SCHED_FIFO}));
	expect_eq(info_of(task).state & TACT_TASK_STATE_THROTTLED, 0);
	expect_ok(tact_task_delete(task));
}

static void expect_refused(uint64_t budget_ns, uint64_t deadline_ns, uint64_t replenish_ns)
{
	struct tact_sched_param bad = server;
	struct tact_task_attr attr = {.sched = &bad};

	bad.budget_ns = budget_ns;
	bad.deadline_ns = deadline_ns;
	bad.replenish_ns = replenish_ns;
	expect_error(tact_task_create(&attr, NULL), TACT_EINVAL);
	expect_error(tact_task_set_sched(TACT_SELF, &bad), TACT_EINVAL);
}

TASK_TEST(budget_deadline_and_period_are_in_order)
{
	expect_refused(0, TEST_MS, TEST_MS);
	expect_refused(999, TEST_MS, TEST_MS);
	expect_refused(2 * TEST_MS, TEST_MS, 3 * TEST_MS);
	expect_refused(TEST_MS, 3 * TEST_MS, 2 * TEST_MS);
	expect_refused(2000, 3000, 9999);
	expect_refused(TEST_MS, TEST_MS, UINT64_MAX / 4 + 1);
}
