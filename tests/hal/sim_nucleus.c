/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* See sim_nucleus.h. Every change of a CPU's lists happens on that CPU, stalled. */
#include "sim_nucleus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mini_cpu mini_cpus[HAL_MAX_CPUS];
unsigned mini_parked, mini_linux_calls, mini_watches, mini_shadow_signals, mini_wall_changes;

static void drain(struct mini_cpu *cpu)
{
	struct base_inbox_node *node = base_inbox_take(&cpu->inbox);

	while (node) {
		struct mini_task *task = base_container_of(node, struct mini_task, message);

		node = node->next;
		base_list_push_back(&task->link, &cpu->ready);
	}
	base_list_for_each_safe(link, &cpu->sleeping)
	{
		struct mini_task *task = base_container_of(link, struct mini_task, link);

		if (task->wake_ns > hal_ticks())
			continue;
		base_list_unlink(link);
		base_list_push_back(link, &cpu->ready);
	}
}

static uint64_t next_wake(const struct mini_cpu *cpu)
{
	uint64_t next = HAL_NO_DEADLINE;

	base_list_for_each(link, &cpu->sleeping)
	{
		struct mini_task *task = base_container_of(link, struct mini_task, link);

		next = task->wake_ns < next ? task->wake_ns : next;
	}
	return next;
}

static void send(struct mini_task *task)
{
	base_inbox_push(&mini_cpus[task->cpu].inbox, &task->message);
	hal_kick(&mini_cpus[task->cpu].hal);
}

/* After a switch: what the flow that was left wanted to happen once it is off the CPU. */
static void settle(struct mini_cpu *cpu)
{
	struct mini_task *left = cpu->left;

	cpu->left = NULL;
	if (left && left->relax) {
		left->relax = false;
		hal_shadow_run(left->shadow, &left->context);
	}
}

static struct mini_cpu *here(void)
{
	struct hal_cpu *hal = hal_enter();

	if (!hal)
		abort();
	return (struct mini_cpu *)hal;
}

static void to_idle(struct mini_cpu *cpu)
{
	struct mini_task *task = cpu->current;

	cpu->current = NULL;
	cpu->left = task;
	hal_context_switch(&task->context, &cpu->idle);
}

void nuc_upcall_start(struct hal_cpu *hal)
{
	struct mini_cpu *cpu = (struct mini_cpu *)hal;

	while (!cpu->stopping) {
		struct base_list *link;

		drain(cpu);
		link = base_list_pop_front(&cpu->ready);
		if (!link) {
			hal_idle(hal, next_wake(cpu), 0);
			continue;
		}
		cpu->current = base_container_of(link, struct mini_task, link);
		hal_shot(hal, next_wake(cpu));
		hal_context_switch(&cpu->idle, &cpu->current->context);
		settle(cpu);
	}
}

void nuc_upcall_event(struct hal_cpu *hal)
{
	struct mini_cpu *cpu = (struct mini_cpu *)hal;

	cpu->events++;
	cpu->event_ns = hal_ticks();
	drain(cpu);
	if (!base_list_empty(&cpu->ready) && cpu->current) {
		base_list_push_back(&cpu->current->link, &cpu->ready);
		to_idle(cpu);
	}
}

int nuc_upcall_linux_call(struct hal_cpu *hal, long number, uintptr_t ip)
{
	struct mini_cpu *cpu = (struct mini_cpu *)hal;

	(void)number;
	(void)ip;
	mini_linux_calls++;
	if (!cpu->current->shadow)
		return -1;
	cpu->current->relax = true;
	to_idle(cpu);
	return 0;
}

int nuc_upcall_fault(struct hal_cpu *hal, const struct hal_fault *fault)
{
	struct mini_cpu *cpu = (struct mini_cpu *)hal;

	if (!cpu->current)
		return -1;
	cpu->current->fault = fault->cause;
	hal_linux_wake(&cpu->current->done);
	to_idle(cpu);
	abort();
}

void nuc_upcall_shadow_fault(void *owner, const struct hal_fault *fault)
{
	struct mini_task *task = owner;
	struct hal_word never = {0};

	task->fault = fault->cause;
	hal_linux_wake(&task->done);
	hal_linux_wait(&never);
}

void nuc_upcall_parked(void *owner)
{
	mini_parked++;
	send(owner);
}

void nuc_upcall_shadow_signal(void *owner)
{
	(void)owner;
	mini_shadow_signals++;
}

void nuc_upcall_wall_changed(void)
{
	mini_wall_changes++;
}

void nuc_upcall_watch(void)
{
	mini_watches++;
}

int mini_start(unsigned cpus, const char *options, char reason[256])
{
	struct hal_config config = {.program = "sim",
				    .options = options,
				    .cpu_count = cpus,
				    .gravity_idle_ns = HAL_GRAVITY_UNSET,
				    .gravity_preempt_ns = HAL_GRAVITY_UNSET};
	struct hal_cpu *records[HAL_MAX_CPUS];

	memset(mini_cpus, 0, sizeof(mini_cpus));
	mini_parked = mini_linux_calls = mini_watches = 0;
	for (unsigned i = 0; i < HAL_MAX_CPUS; i++) {
		base_list_init(&mini_cpus[i].ready);
		base_list_init(&mini_cpus[i].sleeping);
		records[i] = &mini_cpus[i].hal;
	}
	return hal_start(&config, records, reason);
}

void mini_stop(unsigned cpus)
{
	for (unsigned i = 0; i < cpus; i++) {
		mini_cpus[i].stopping = true;
		hal_kick(&mini_cpus[i].hal);
	}
	hal_stop();
}

static void task_main(void *arg)
{
	struct mini_task *task = arg;
	struct mini_cpu *cpu;

	hal_leave();
	task->entry(task->arg);
	if (hal_shadow_owner())
		mini_harden();
	cpu = here();
	hal_linux_wake(&task->done);
	to_idle(cpu);
	abort();
}

void mini_task_start(struct mini_task *task, unsigned cpu, bool full, void (*entry)(void *arg),
		     void *arg)
{
	memset(task, 0, sizeof(*task));
	task->entry = entry;
	task->arg = arg;
	task->cpu = cpu;
	base_list_init(&task->link);
	if (hal_stack_get(HAL_STACK_DEFAULT, &task->stack) ||
	    (full && hal_shadow_create(&task->shadow, task, 0, "task"))) {
		fprintf(stderr, "no memory for a task\n");
		exit(1);
	}
	hal_context_prepare(&task->context, &task->stack, task->shadow, task_main, task);
	send(task);
}

void mini_task_join(struct mini_task *task)
{
	hal_linux_wait(&task->done);
	/* Until the CPU has left the task's stack: its switch is one step away. */
	hal_compute(1000000);
	if (task->shadow)
		hal_shadow_destroy(task->shadow);
	hal_context_discard(&task->context);
	hal_stack_put(&task->stack);
}

void mini_yield(void)
{
	struct mini_cpu *cpu = here();

	base_list_push_back(&cpu->current->link, &cpu->ready);
	to_idle(cpu);
	hal_leave();
}

void mini_sleep_until(uint64_t instant_ns)
{
	struct mini_cpu *cpu = here();

	cpu->current->wake_ns = instant_ns;
	base_list_push_back(&cpu->current->link, &cpu->sleeping);
	to_idle(cpu);
	hal_leave();
}

void mini_harden(void)
{
	struct mini_task *task = hal_shadow_owner();

	hal_shadow_park(task->shadow, &task->context);
	hal_leave();
}
