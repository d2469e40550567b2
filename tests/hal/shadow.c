/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shadows: primary and secondary mode, Linux calls, attaching and letting go. */
#include "suite.h"

#include "base/error.h"

static struct suite_task task;

static void call_linux(void *arg)
{
	unsigned calls = *(unsigned *)arg;

	for (unsigned i = 0; i < calls; i++) {
		expect_true("primary mode before", hal_shadow_owner() == NULL);
		expect("result", back_end_linux_call_result(), back_end_linux_call());
		expect_true("secondary mode after", hal_shadow_owner() == &task);
		expect_true("on no CPU", hal_enter() == NULL);
		expect_true("not stalled", !hal_stalled());
		expect("a further one needs no move", back_end_linux_call_result(),
		       back_end_linux_call());
		suite_harden();
	}
}

static void linux_call_runs_on_the_shadow(void)
{
	unsigned calls = 1;

	suite_start(1);
	suite_task_start(&task, 0, true, call_linux, &calls);
	suite_task_join(&task);
	suite_stop();
	expect("upcalls", 1, atomic_load(&task.linux_calls));
	expect("parks", 1, atomic_load(&task.parked));
}

static void modes_change_a_thousand_times(void)
{
	unsigned calls = 1000;

	suite_start(1);
	suite_task_start(&task, 0, true, call_linux, &calls);
	suite_task_join(&task);
	suite_stop();
	expect("upcalls", 1000, atomic_load(&task.linux_calls));
}

static void call_and_be_refused(void *arg)
{
	struct suite_task *self = arg;

	self->refuse_linux_calls = true;
	expect("result", -TACT_EPERM, back_end_linux_call());
	expect_true("still in primary mode", hal_shadow_owner() == NULL);
	expect_true("not stalled", !hal_stalled());
	self->refuse_linux_calls = false;
	expect("allowed again", back_end_linux_call_result(), back_end_linux_call());
}

static void refused_call_stays_in_primary_mode(void)
{
	suite_start(1);
	suite_task_start(&task, 0, true, call_and_be_refused, &task);
	suite_task_join(&task);
	suite_stop();
	expect("upcalls", 2, atomic_load(&task.linux_calls));
}

static void call_from_light(void *arg)
{
	(void)arg;
	expect("result", -TACT_EPERM, back_end_linux_call());
}

static void light_task_may_not_call_linux(void)
{
	suite_start(1);
	suite_task_start(&task, 0, false, call_from_light, NULL);
	suite_task_join(&task);
	suite_stop();
	expect("cause", HAL_FAULT_LINUX_CALL, task.fault.cause);
}

static void end_in_secondary(void *arg)
{
	(void)arg;
	back_end_linux_call();
}

static void task_may_end_in_secondary_mode(void)
{
	suite_start(1);
	for (unsigned i = 0; i < 50; i++) {
		suite_task_start(&task, 0, true, end_in_secondary, NULL);
		suite_task_join(&task);
	}
	suite_stop();
}

static void thread_is_attached_and_released(void)
{
	struct hal_shadow *again;

	suite_start(1);
	for (unsigned i = 0; i < 20; i++) {
		suite_attach(&task, 0);
		expect_true("its owner", hal_shadow_owner() == &task);
		expect_true("in secondary mode", hal_enter() == NULL);
		expect("once is enough", -TACT_EBUSY, hal_shadow_attach(&again, &task, 0));
		suite_harden();
		expect_true("in primary mode", hal_shadow_owner() == NULL && hal_enter());
		hal_leave();
		hal_compute(10000);
		suite_yield();
		expect("result", back_end_linux_call_result(), back_end_linux_call());
		expect_true("and back", hal_shadow_owner() == &task);
		suite_release(&task);
		expect_true("plain again", hal_shadow_owner() == NULL);
		expect_true("on no CPU", hal_enter() == NULL);
	}
	suite_stop();
}

static void attach_in_thread(void *arg)
{
	struct suite_task *self = arg;

	suite_attach(self, 0);
	for (unsigned i = 0; i < 100; i++) {
		suite_harden();
		suite_sleep_until(hal_now_ns() + 10000);
		suite_relax();
	}
	suite_release(self);
}

static void several_threads_are_attached(void)
{
	struct back_end_thread *threads[3];
	struct suite_task tasks[3];

	suite_start(1);
	for (unsigned i = 0; i < 3; i++)
		threads[i] = back_end_thread_start(attach_in_thread, &tasks[i]);
	for (unsigned i = 0; i < 3; i++)
		back_end_thread_join(threads[i]);
	suite_stop();
	for (unsigned i = 0; i < 3; i++)
		expect("parks", 100, atomic_load(&tasks[i].parked));
}

static void mix(void *arg)
{
	unsigned seed = (unsigned)(uintptr_t)arg;

	for (unsigned i = 0; i < 300; i++) {
		seed = seed * 1103515245u + 12345u;
		switch (seed >> 16 & 3) {
		case 0:
			suite_sleep_until(hal_now_ns() + (seed >> 20));
			break;
		case 1:
			back_end_linux_call();
			suite_harden();
			break;
		case 2:
			hal_compute(seed >> 20);
			break;
		case 3:
			suite_yield();
			break;
		}
	}
}

/* Preempted, sleeping and moving tasks that disturb each other, on all available CPUs. */
static void mixed_life(void)
{
	struct suite_task tasks[8];
	unsigned cpus = back_end_cpus() > 2 ? 2 : 1;

	suite_start(cpus);
	for (unsigned i = 0; i < 8; i++)
		suite_task_start(&tasks[i], i % cpus, true, mix, (void *)(uintptr_t)(i + 1));
	for (unsigned i = 0; i < 8; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
}

const struct suite_case cases_shadow[] = {
	CASE(linux_call_runs_on_the_shadow),
	CASE(modes_change_a_thousand_times),
	CASE(refused_call_stays_in_primary_mode),
	CASE(light_task_may_not_call_linux),
	CASE(task_may_end_in_secondary_mode),
	CASE(thread_is_attached_and_released),
	CASE(several_threads_are_attached),
	CASE(mixed_life),
	{NULL, NULL},
};
