/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults: each cause is reported, and the rest of the program continues. */
#include "suite.h"

static struct suite_task task, other;

static void fault_by(void *arg)
{
	back_end_fault((enum hal_fault_cause)(uintptr_t)arg);
	expect_true("not reached", false);
}

static void live_on(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 10; i++)
		suite_sleep_until(hal_now_ns() + 50000);
}

static void fault_in(enum hal_fault_cause cause, bool full)
{
	suite_start(1);
	for (unsigned i = 0; i < 3; i++) {
		suite_task_start(&other, 0, false, live_on, NULL);
		suite_task_start(&task, 0, full, fault_by, (void *)(uintptr_t)cause);
		suite_task_join(&task);
		expect("cause", cause, task.fault.cause);
		expect_true("where", task.fault.ip != 0);
		expect_true("and on which stack",
			    task.fault.sp - (uintptr_t)task.stack.base + 16384 <
				    task.stack.bytes + 16384);
		suite_task_join(&other);
	}
	suite_stop();
}

static void memory_fault_is_told(void)
{
	fault_in(HAL_FAULT_MEMORY, false);
	expect("address", 16, (int64_t)task.fault.address);
}

static void memory_fault_of_a_full_task_is_told(void)
{
	fault_in(HAL_FAULT_MEMORY, true);
}

static void arithmetic_fault_is_told(void)
{
	fault_in(HAL_FAULT_ARITHMETIC, false);
}

static void instruction_fault_is_told(void)
{
	fault_in(HAL_FAULT_INSTRUCTION, false);
}

static void breakpoint_is_told(void)
{
	fault_in(HAL_FAULT_BREAKPOINT, false);
}

static void alignment_fault_is_told(void)
{
	if (!back_end_checks_alignment())
		skip("this processor checks no alignment");
	fault_in(HAL_FAULT_ALIGNMENT, false);
}

static void stack_overrun_is_told(void)
{
	fault_in(HAL_FAULT_STACK, false);
}

static void stack_overrun_of_a_full_task_is_told(void)
{
	fault_in(HAL_FAULT_STACK, true);
}

static void thread_local_storage_of_a_light_task_is_told(void)
{
	if (sanitized())
		skip("light tasks have storage where a sanitizer is built in");
	fault_in(HAL_FAULT_TLS, false);
}

static void fault_in_secondary(void *arg)
{
	(void)arg;
	back_end_linux_call();
	back_end_fault(HAL_FAULT_MEMORY);
	expect_true("not reached", false);
}

static void fault_on_the_shadow_is_told(void)
{
	suite_start(1);
	for (unsigned i = 0; i < 3; i++) {
		suite_task_start(&task, 0, true, fault_in_secondary, NULL);
		suite_task_join(&task);
		expect("cause", HAL_FAULT_MEMORY, task.fault.cause);
	}
	suite_stop();
}

const struct suite_case cases_fault[] = {
	CASE(memory_fault_is_told),
	CASE(memory_fault_of_a_full_task_is_told),
	CASE(arithmetic_fault_is_told),
	CASE(instruction_fault_is_told),
	CASE(breakpoint_is_told),
	CASE(alignment_fault_is_told),
	CASE(stack_overrun_is_told),
	CASE(stack_overrun_of_a_full_task_is_told),
	CASE(thread_local_storage_of_a_light_task_is_told),
	CASE(fault_on_the_shadow_is_told),
	{NULL, NULL},
};
