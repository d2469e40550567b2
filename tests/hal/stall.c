/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Nucleus sections: the stall bit defers events, and leaving delivers them. */
#include "suite.h"

static struct suite_task task;

static void plain_thread_is_on_no_cpu(void)
{
	suite_start(1);
	expect_true("hal_enter() is NULL", hal_enter() == NULL);
	expect_true("not stalled", !hal_stalled());
	suite_stop();
	expect_true("nor after the stop", hal_enter() == NULL);
}

static void look_inside(void *arg)
{
	struct hal_cpu *cpu;

	(void)arg;
	expect_true("not stalled before", !hal_stalled());
	cpu = hal_enter();
	expect_true("the CPU", cpu == &suite_cpus[0].hal);
	expect_true("stalled inside", hal_stalled());
	hal_leave();
	expect_true("not stalled after", !hal_stalled());
}

static void section_begins_and_ends(void)
{
	suite_start(1);
	suite_task_start(&task, 0, false, look_inside, NULL);
	suite_task_join(&task);
	expect("starts", 1, atomic_load(&suite_cpus[0].starts));
	suite_stop();
}

static void kick_inside(void *arg)
{
	struct hal_cpu *cpu = hal_enter();
	unsigned before = atomic_load(&suite_cpus[0].events);
	unsigned kicks = *(unsigned *)arg;

	for (unsigned i = 0; i < kicks; i++)
		hal_kick(cpu);
	hal_compute(1000000);
	expect("events while stalled", before, atomic_load(&suite_cpus[0].events));
	hal_leave();
	expect("events when it ended", before + 1, atomic_load(&suite_cpus[0].events));
	hal_compute(1000000);
	expect("events long after", before + 1, atomic_load(&suite_cpus[0].events));
}

static void kick_is_replayed_at_leave(void)
{
	unsigned kicks = 1;

	suite_start(1);
	suite_task_start(&task, 0, false, kick_inside, &kicks);
	suite_task_join(&task);
	suite_stop();
}

static void kicks_merge_while_stalled(void)
{
	unsigned kicks = 100;

	suite_start(1);
	suite_task_start(&task, 0, false, kick_inside, &kicks);
	suite_task_join(&task);
	suite_stop();
}

static _Atomic unsigned seen_inside;

static void look_at_event(struct suite_cpu *cpu)
{
	if (hal_stalled() && cpu->hal.self.stalled)
		atomic_fetch_add(&seen_inside, 1);
}

static void kick_outside(void *arg)
{
	(void)arg;
	suite_cpus[0].on_event = look_at_event;
	hal_kick(&suite_cpus[0].hal);
	while (!atomic_load(&seen_inside))
		hal_compute(1000);
	expect_true("not stalled after the event", !hal_stalled());
}

static void events_come_stalled(void)
{
	suite_start(1);
	suite_task_start(&task, 0, false, kick_outside, NULL);
	suite_task_join(&task);
	suite_cpus[0].on_event = NULL;
	suite_stop();
}

const struct suite_case cases_stall[] = {
	CASE(plain_thread_is_on_no_cpu), CASE(section_begins_and_ends),
	CASE(kick_is_replayed_at_leave), CASE(kicks_merge_while_stalled),
	CASE(events_come_stalled),       {NULL, NULL},
};
