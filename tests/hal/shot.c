/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shots at a running task. */
#include "suite.h"

#define FAR_NS 1000000000ull

static struct suite_task task;
static _Atomic unsigned shots;

static void count_shot(struct suite_cpu *cpu)
{
	(void)cpu;
	atomic_fetch_add(&shots, 1);
}

/* Compute until the n-th event; false: none came for a long time. */
static bool compute_to_event(unsigned count)
{
	uint64_t until_ns = hal_now_ns() + FAR_NS;

	while (atomic_load(&shots) < count && hal_now_ns() < until_ns)
		hal_compute(1000);
	return atomic_load(&shots) >= count;
}

static void shoot(uint64_t deadline_ns)
{
	hal_shot(hal_enter(), deadline_ns);
	hal_leave();
}

static void await_a_shot(void *arg)
{
	uint64_t deadline_ns;

	(void)arg;
	for (unsigned i = 0; i < 50; i++) {
		unsigned before = atomic_load(&shots);

		deadline_ns = hal_now_ns() + 1000000;
		shoot(deadline_ns);
		expect_true("the shot came", compute_to_event(before + 1));
		expect_true("not before its time",
			    atomic_load(&suite_cpus[0].event_ns) +
					    hal_gravity_preempt_ns(&suite_cpus[0].hal) >=
				    deadline_ns);
	}
}

static void replace_by_an_earlier(void *arg)
{
	uint64_t begin_ns = hal_now_ns();

	(void)arg;
	shoot(begin_ns + FAR_NS);
	shoot(begin_ns + 1000000);
	expect_true("the earlier shot came", compute_to_event(1));
	expect_true("before the later one", hal_now_ns() < begin_ns + FAR_NS);
}

/* The earlier one may still come, says the contract; the later one must. */
static void replace_by_a_later(void *arg)
{
	uint64_t begin_ns = hal_now_ns();
	uint64_t later_ns = begin_ns + 3000000;
	unsigned before;

	(void)arg;
	shoot(begin_ns + 1000000);
	shoot(later_ns);
	do {
		before = atomic_load(&shots);
		expect_true("a shot came", compute_to_event(before + 1));
		shoot(later_ns); /* as a nucleus does after an event */
	} while (hal_now_ns() + hal_gravity_preempt_ns(&suite_cpus[0].hal) < later_ns);
}

/* The kick of a task's start may come after the task, which was found without it. */
static void forget_the_start(void)
{
	hal_compute(1000000);
	atomic_store(&shots, 0);
}

static void shoot_into_the_past(void *arg)
{
	(void)arg;
	forget_the_start();
	shoot(0);
	expect("delivered when the section ended", 1, atomic_load(&shots));
	shoot(hal_now_ns());
	expect_true("at once", compute_to_event(2));
}

static void shoot_never(void *arg)
{
	(void)arg;
	forget_the_start();
	shoot(HAL_NO_DEADLINE);
	hal_compute(2000000);
	expect("shots", 0, atomic_load(&shots));
	shoot(hal_now_ns() + FAR_NS * 3600);
	shoot(HAL_NO_DEADLINE);
	hal_compute(2000000);
	expect("shots", 0, atomic_load(&shots));
}

static void run(void (*entry)(void *arg), uint32_t gravity_ns)
{
	struct hal_config config = suite_config(1);

	config.gravity_preempt_ns = gravity_ns;
	suite_start_with(&config);
	suite_cpus[0].on_event = count_shot;
	suite_task_start(&task, 0, false, entry, NULL);
	suite_task_join(&task);
	suite_cpus[0].on_event = NULL;
	suite_stop();
}

static void shot_preempts_a_computing_task(void)
{
	run(await_a_shot, HAL_GRAVITY_UNSET);
}

static void shot_comes_its_gravity_early(void)
{
	run(await_a_shot, 50000);
}

static void earlier_shot_replaces_a_later(void)
{
	run(replace_by_an_earlier, HAL_GRAVITY_UNSET);
}

static void later_shot_is_not_lost(void)
{
	run(replace_by_a_later, HAL_GRAVITY_UNSET);
}

static void past_shot_is_delivered_at_leave(void)
{
	run(shoot_into_the_past, HAL_GRAVITY_UNSET);
}

static void no_deadline_shoots_nothing(void)
{
	run(shoot_never, HAL_GRAVITY_UNSET);
}

static _Atomic bool stop_spinning;

static void spin_in_turns(void *arg)
{
	_Atomic unsigned *turns = arg;

	while (!atomic_load(&stop_spinning)) {
		atomic_fetch_add(turns, 1);
		hal_compute(500);
	}
}

static _Atomic unsigned turns[2];

static void wake_often(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 200; i++)
		suite_sleep_until(hal_now_ns() + 100000);
	atomic_store(&stop_spinning, true);
}

static void preempted_tasks_take_turns(void)
{
	struct suite_task spinners[2], sleeper;

	if (back_end_cpus() < 2)
		skip("one CPU: a computing task leaves Linux none of it");
	suite_start(1);
	suite_task_start(&sleeper, 0, false, wake_often, NULL);
	for (unsigned i = 0; i < 2; i++)
		suite_task_start(&spinners[i], 0, false, spin_in_turns, &turns[i]);
	suite_task_join(&sleeper);
	for (unsigned i = 0; i < 2; i++) {
		suite_task_join(&spinners[i]);
		expect_true("had its turns", atomic_load(&turns[i]) > 10);
	}
	suite_stop();
}

const struct suite_case cases_shot[] = {
	CASE(shot_preempts_a_computing_task),  CASE(shot_comes_its_gravity_early),
	CASE(earlier_shot_replaces_a_later),   CASE(later_shot_is_not_lost),
	CASE(past_shot_is_delivered_at_leave), CASE(no_deadline_shoots_nothing),
	CASE(preempted_tasks_take_turns),      {NULL, NULL},
};
