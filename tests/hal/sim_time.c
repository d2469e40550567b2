/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Virtual time: everything happens at its instant, to the nanosecond. */
#include "sim_cases.h"

#include "base/error.h"
#include "hal/sim.h"

static struct suite_task tasks[4];
static uint64_t marks[8];

static void sleeper(void *arg)
{
	(void)arg;
	suite_sleep_until(1500000000);
	marks[0] = hal_sim_now();
}

static void computer(void *arg)
{
	uint64_t before = hal_sim_now();

	(void)arg;
	hal_compute(700000000);
	marks[1] = hal_sim_now() - before;
	marks[2] = suite_cpus[0].event_ns;
}

static void shot_interrupts_a_computing_task_at_its_instant(void)
{
	sim_start(1, NULL);
	suite_task_start(&tasks[0], 0, false, sleeper, NULL);
	hal_compute(1000);
	suite_cpus[0].events = 0;
	suite_task_start(&tasks[1], 0, false, computer, NULL);
	suite_task_join(&tasks[0]);
	suite_task_join(&tasks[1]);
	/* The upcall read the clock, which costs 1 ns. */
	expect("instant of the shot", 1500000001, (int64_t)marks[2]);
	expect("the sleeper went on within 100 ns", 1, marks[0] - 1500000000 < 100);
	expect("computing took its time and the sleeper's", 1, marks[1] - 700000000 < 200);
	expect("events", 1, suite_cpus[0].events);
	suite_stop();
}

static void idle_cpu_wakes_at_its_deadline(void)
{
	sim_start(1, NULL);
	suite_task_start(&tasks[0], 0, false, sleeper, NULL);
	suite_task_join(&tasks[0]);
	expect("the sleeper went on within 100 ns", 1,
	       marks[0] >= 1500000000 && marks[0] - 1500000000 < 100);
	suite_stop();
}

static void kicked(void *arg)
{
	(void)arg;
	hal_compute(1000000);
}

static void kicker(void *arg)
{
	(void)arg;
	hal_compute(400000);
	marks[3] = hal_sim_now();
	hal_kick(&suite_cpus[0].hal);
}

static void kick_arrives_after_its_set_latency(void)
{
	struct hal_sim_costs costs;

	hal_sim_get_costs(&costs);
	costs.kick_ns = 777;
	expect("set costs", 0, hal_sim_set_costs(&costs));
	sim_start(2, NULL);
	suite_task_start(&tasks[0], 0, false, kicked, NULL);
	suite_task_start(&tasks[1], 1, false, kicker, NULL);
	suite_task_join(&tasks[0]);
	suite_task_join(&tasks[1]);
	/* And 1 ns for reading the clock. */
	expect("latency", 778, (int64_t)(suite_cpus[0].event_ns - marks[3]));
	suite_stop();
}
static void caller(void *arg)
{
	uint64_t before = hal_sim_now();

	(void)arg;
	marks[0] = hal_shadow_owner() != NULL;
	hal_sim_linux_call(1, 0);
	marks[1] = hal_shadow_owner() == &tasks[0];
	marks[2] = hal_enter() == NULL;
	marks[3] = hal_sim_now() - before;
	suite_harden();
	marks[4] = hal_shadow_owner() != NULL;
}

static void linux_call_runs_on_the_shadow_at_its_cost(void)
{
	sim_start(1, "linux_cost=250000");
	suite_task_start(&tasks[0], 0, true, caller, NULL);
	suite_task_join(&tasks[0]);
	expect("on a shadow before", 0, (int64_t)marks[0]);
	expect("on its shadow after", 1, (int64_t)marks[1]);
	expect("on no CPU after", 1, (int64_t)marks[2]);
	expect("cost at least dispatch + call", 1, marks[3] >= 255000 && marks[3] < 255100);
	expect("back on a CPU", 0, (int64_t)marks[4]);
	expect("parked", 1, tasks[0].parked);
	suite_stop();
}

static void light_caller(void *arg)
{
	(void)arg;
	marks[0] = (uint64_t)(int64_t)hal_sim_linux_call(1, 0);
}

static void refused_linux_call_returns_the_refusal(void)
{
	sim_start(1, NULL);
	suite_task_start(&tasks[0], 0, false, light_caller, NULL);
	suite_task_join(&tasks[0]);
	expect("refusal", -TACT_EPERM, (int64_t)marks[0]);
	suite_stop();
}

static void thread_entry(void *arg)
{
	hal_compute(1000);
	*(uint64_t *)arg = hal_sim_now();
}

static void linux_threads_have_their_own_time(void)
{
	struct hal_sim_thread *threads[8];
	uint64_t ends[8];

	sim_start(1, NULL);
	for (unsigned i = 0; i < 8; i++)
		expect("start", 0, hal_sim_thread_start(&threads[i], thread_entry, &ends[i], "t"));
	for (unsigned i = 0; i < 8; i++)
		hal_sim_thread_join(threads[i]);
	expect("all at once", 1, ends[7] - ends[0] < 100);
	hal_compute(1000000000);
	expect("watches", 10, suite_watches);
	hal_sim_set_wall_ns(5);
	expect("wall", 1,
	       suite_wall_changes == 1 && (int64_t)hal_sim_now() + hal_wall_offset_ns() == 5);
	suite_stop();
}

const struct suite_case cases_sim_time[] = {
	CASE(shot_interrupts_a_computing_task_at_its_instant),
	CASE(idle_cpu_wakes_at_its_deadline),
	CASE(kick_arrives_after_its_set_latency),
	CASE(linux_call_runs_on_the_shadow_at_its_cost),
	CASE(refused_linux_call_returns_the_refusal),
	CASE(linux_threads_have_their_own_time),
	{NULL, NULL},
};
