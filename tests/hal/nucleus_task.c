/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a case uses of the suite's nucleus: start, stop and tasks; see nucleus.h. */
#include "nucleus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define LEASE_TRIES   400u
#define LEASE_STEP_NS 100000000u

struct hal_config suite_config(unsigned cpus)
{
	return (struct hal_config){.program = "suite",
				   .cpu_count = cpus,
				   .gravity_idle_ns = HAL_GRAVITY_UNSET,
				   .gravity_preempt_ns = HAL_GRAVITY_UNSET};
}

int suite_try_start(const struct hal_config *config, char reason[256])
{
	struct hal_cpu *records[HAL_MAX_CPUS];

	memset(suite_cpus, 0, sizeof(suite_cpus));
	for (unsigned i = 0; i < HAL_MAX_CPUS; i++) {
		base_list_init(&suite_cpus[i].ready);
		base_list_init(&suite_cpus[i].sleeping);
		records[i] = &suite_cpus[i].hal;
	}
	suite_cpu_count = config->cpu_count;
	return hal_start(config, records, reason);
}

void suite_start_with(const struct hal_config *config)
{
	char reason[256];
	int error;

	/* Another program may have the CPUs for a while: two programs on one CPU would disturb each
	 * other. */
	for (unsigned i = 0; i < LEASE_TRIES; i++) {
		error = suite_try_start(config, reason);
		if (!error)
			return;
		if (error != -TACT_EBUSY)
			break;
		hal_linux_pause(LEASE_STEP_NS);
	}
	printf("hal_start: %d: %s\n", error, reason);
	exit(1);
}

void suite_start(unsigned cpus)
{
	struct hal_config config = suite_config(cpus);

	suite_start_with(&config);
}

void suite_stop(void)
{
	for (unsigned i = 0; i < suite_cpu_count; i++) {
		atomic_store(&suite_cpus[i].stopping, true);
		hal_kick(&suite_cpus[i].hal);
	}
	hal_stop();
}

void suite_send(struct suite_task *task)
{
	struct suite_cpu *cpu = &suite_cpus[task->cpu];

	base_inbox_push(&cpu->inbox, &task->message);
	hal_kick(&cpu->hal);
}

static void task_main(void *arg)
{
	struct suite_task *task = arg;

	hal_leave();
	task->entry(task->arg);
	if (hal_shadow_owner())
		suite_harden();
	suite_end(suite_here());
}

void suite_task_start(struct suite_task *task, unsigned cpu, bool full, void (*entry)(void *arg),
		      void *arg)
{
	suite_task_start_on(HAL_STACK_DEFAULT, task, cpu, full, entry, arg);
}

void suite_task_start_on(size_t stack_bytes, struct suite_task *task, unsigned cpu, bool full,
			 void (*entry)(void *arg), void *arg)
{
	int error;

	memset(task, 0, sizeof(*task));
	task->entry = entry;
	task->arg = arg;
	task->cpu = cpu;
	base_list_init(&task->link);
	error = hal_stack_get(stack_bytes, &task->stack);
	if (!error && full)
		error = hal_shadow_create(&task->shadow, task, 0, "suite-task");
	if (error) {
		printf("no task: %d\n", error);
		exit(1);
	}
	hal_context_prepare(&task->context, &task->stack, task->shadow, task_main, task);
	suite_send(task);
}

void suite_task_join(struct suite_task *task)
{
	hal_linux_wait(&task->done);
	if (task->shadow)
		hal_shadow_destroy(task->shadow, &task->context);
	hal_context_discard(&task->context);
	hal_stack_put(&task->stack);
}

void suite_attach(struct suite_task *task, unsigned cpu)
{
	int error;

	memset(task, 0, sizeof(*task));
	task->cpu = cpu;
	task->attached = true;
	base_list_init(&task->link);
	error = hal_shadow_attach(&task->shadow, NULL, 0);
	if (error || hal_shadow_owner()) {
		printf("not attached: %d, owner %p\n", error, hal_shadow_owner());
		exit(1);
	}
	hal_shadow_own(task->shadow, task);
}

void suite_release(struct suite_task *task)
{
	if (!hal_shadow_owner())
		suite_relax();
	hal_shadow_release(task->shadow);
}

struct suite_task *suite_self(void)
{
	struct suite_task *task = hal_shadow_owner();

	if (!task) {
		task = suite_here()->current;
		hal_leave();
	}
	return task;
}

void suite_yield(void)
{
	struct suite_cpu *cpu = suite_here();

	base_list_push_back(&cpu->current->link, &cpu->ready);
	suite_to_idle(cpu);
	hal_leave();
}

void suite_sleep_until(uint64_t instant_ns)
{
	struct suite_cpu *cpu = suite_here();

	cpu->current->wake_ns = instant_ns;
	base_list_push_back(&cpu->current->link, &cpu->sleeping);
	suite_to_idle(cpu);
	hal_leave();
}

void suite_harden(void)
{
	struct suite_task *task;

	/* A signal that came late may bring it out again at once. */
	while ((task = hal_shadow_owner())) {
		hal_shadow_park(task->shadow, &task->context);
		hal_leave();
	}
}

void suite_relax(void)
{
	struct suite_cpu *cpu = suite_here();

	cpu->current->relax = true;
	suite_to_idle(cpu);
	hal_leave();
}
