/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* See nucleus.h. */
#include "nucleus.h"

#include <stdlib.h>

#include "base/error.h"

#define SLICE_NS 200000u

struct suite_cpu suite_cpus[HAL_MAX_CPUS];
_Atomic unsigned suite_watches, suite_wall_changes, suite_handlers;
_Atomic uint64_t suite_pending;

unsigned suite_cpu_count;
void (*suite_on_signal)(struct suite_task *task);

struct suite_cpu *suite_here(void)
{
	struct hal_cpu *hal = hal_enter();

	if (!hal)
		abort();
	return (struct suite_cpu *)hal;
}

void suite_to_idle(struct suite_cpu *cpu)
{
	struct suite_task *task = cpu->current;

	cpu->current = NULL;
	cpu->left = task;
	hal_context_switch(&task->context, &cpu->idle);
}

/* Linux has a signal for this task: move the task to its shadow, wherever it is. */
static void bring_out(struct suite_cpu *cpu, struct suite_task *task)
{
	if (task == cpu->current) {
		task->relax = true;
		return;
	}
	if (!base_list_linked(&task->link))
		return;
	base_list_unlink(&task->link);
	hal_shadow_run(task->shadow, &task->context, 0);
}

static void drain(struct suite_cpu *cpu)
{
	struct base_inbox_node *node = base_inbox_take(&cpu->inbox);
	uint64_t now_ns;

	while (node) {
		struct suite_task *task = base_container_of(node, struct suite_task, message);

		node = node->next;
		base_list_push_back(&task->link, &cpu->ready);
	}
	node = base_inbox_take(&cpu->signals);
	while (node) {
		struct suite_task *task =
			base_container_of(node, struct suite_task, signal_message);

		node = node->next;
		bring_out(cpu, task);
	}
	now_ns = hal_now_ns();
	base_list_for_each_safe(link, &cpu->sleeping) {
		struct suite_task *task = base_container_of(link, struct suite_task, link);

		if (task->wake_ns > now_ns)
			continue;
		base_list_unlink(link);
		base_list_push_back(link, &cpu->ready);
	}
}

static uint64_t next_wake(const struct suite_cpu *cpu)
{
	uint64_t next = HAL_NO_DEADLINE;

	base_list_for_each(link, &cpu->sleeping) {
		struct suite_task *task = base_container_of(link, struct suite_task, link);

		next = task->wake_ns < next ? task->wake_ns : next;
	}
	return next;
}

/* The next sleeper, or the end of a time slice when others want the CPU. */
static uint64_t next_shot(const struct suite_cpu *cpu)
{
	uint64_t next_ns = next_wake(cpu);
	uint64_t slice_ns = hal_now_ns() + SLICE_NS;

	return base_list_empty(&cpu->ready) || next_ns < slice_ns ? next_ns : slice_ns;
}

/* Do what the previous task has requested for the time when it is off the CPU. */
static void settle(struct suite_cpu *cpu)
{
	struct suite_task *left = cpu->left;

	cpu->left = NULL;
	if (left && left->relax) {
		left->relax = false;
		hal_shadow_run(left->shadow, &left->context, 0);
	} else if (left && left->migrate) {
		left->migrate = false;
		left->cpu = (left->cpu + 1) % suite_cpu_count;
		atomic_fetch_add(&left->moves, 1);
		suite_send(left);
	} else if (left && left->ended) {
		if (left->attached)
			hal_shadow_destroy(left->shadow, &left->context);
		hal_linux_wake(&left->done);
	}
}

void nuc_upcall_start(struct hal_cpu *hal)
{
	struct suite_cpu *cpu = (struct suite_cpu *)hal;

	atomic_fetch_add(&cpu->starts, 1);
	while (!atomic_load(&cpu->stopping)) {
		struct base_list *link;

		drain(cpu);
		link = base_list_pop_front(&cpu->ready);
		if (!link) {
			atomic_fetch_add(&cpu->idles, 1);
			if (cpu->on_idle)
				cpu->on_idle(cpu);
			else
				hal_idle(hal, next_wake(cpu), 0);
			continue;
		}
		cpu->current = base_container_of(link, struct suite_task, link);
		hal_shot(hal, next_shot(cpu));
		hal_context_switch(&cpu->idle, &cpu->current->context);
		settle(cpu);
	}
}

void nuc_upcall_event(struct hal_cpu *hal)
{
	struct suite_cpu *cpu = (struct suite_cpu *)hal;

	atomic_store(&cpu->event_ns, hal_now_ns());
	atomic_fetch_add(&cpu->events, 1);
	if (cpu->on_event) {
		cpu->on_event(cpu);
		return;
	}
	drain(cpu);
	if (!cpu->current)
		return;
	if (cpu->current->relax || cpu->current->migrate) {
		suite_to_idle(cpu);
	} else if (!base_list_empty(&cpu->ready)) {
		base_list_push_back(&cpu->current->link, &cpu->ready);
		suite_to_idle(cpu);
	} else {
		/* The shot came early by its gravity, or without need: request it again. */
		hal_shot(hal, next_shot(cpu));
	}
}

int nuc_upcall_linux_call(struct hal_cpu *hal, long number, uintptr_t ip)
{
	struct suite_cpu *cpu = (struct suite_cpu *)hal;
	struct suite_task *task = cpu->current;

	(void)ip;
	if (!task)
		abort();
	atomic_fetch_add(&task->linux_calls, 1);
	if (!task->shadow) {
		task->fault = (struct hal_fault){.cause = HAL_FAULT_LINUX_CALL,
						 .address = (uintptr_t)number};
		return -TACT_EPERM;
	}
	if (task->refuse_linux_calls)
		return -TACT_EPERM;
	task->relax = true;
	suite_to_idle(cpu);
	return 0;
}

void nuc_upcall_shadow_calls(void *owner)
{
	(void)owner;
	abort();
}

void suite_end(struct suite_cpu *cpu)
{
	cpu->current->ended = true;
	suite_to_idle(cpu);
	abort();
}

int nuc_upcall_fault(struct hal_cpu *hal, const struct hal_fault *fault)
{
	struct suite_cpu *cpu = (struct suite_cpu *)hal;

	if (!cpu->current)
		return -TACT_ESRCH;
	cpu->current->fault = *fault;
	suite_end(cpu);
	return 0;
}

/* No fault of the suite belongs to the program. */
bool nuc_upcall_fault_leaves(struct hal_cpu *hal)
{
	(void)hal;
	return false;
}

void nuc_upcall_shadow_fault(void *owner, const struct hal_fault *fault)
{
	struct suite_task *task = owner;

	task->fault = *fault;
	/* Back on its CPU, and there until its end. */
	suite_harden();
	suite_end(suite_here());
}

void nuc_upcall_parked(void *owner)
{
	struct suite_task *task = owner;

	atomic_fetch_add(&task->parked, 1);
	suite_send(task);
}

void nuc_upcall_watched(void *watch)
{
	atomic_fetch_add((_Atomic unsigned *)watch, 1);
}

void nuc_upcall_shadow_signal(void *owner)
{
	struct suite_task *task = owner;

	if (suite_on_signal) {
		suite_on_signal(task);
		return;
	}
	atomic_fetch_add(&task->signals, 1);
	base_inbox_push(&suite_cpus[task->cpu].signals, &task->signal_message);
	hal_kick(&suite_cpus[task->cpu].hal);
}

void nuc_upcall_handlers(uint64_t pending)
{
	atomic_fetch_add(&suite_handlers, 1);
	atomic_store(&suite_pending, pending);
}

/* Threads of the suite are released before they end. */
void nuc_upcall_thread_ends(void)
{
	if (hal_shadow_owner())
		hal_panic("a thread of the suite ended as a shadow\n");
}

/* The suite has nothing to undo. */
void nuc_upcall_thread_stopped(void)
{
}

void nuc_upcall_wall_changed(void)
{
	atomic_fetch_add(&suite_wall_changes, 1);
}

void nuc_upcall_watch(void)
{
	atomic_fetch_add(&suite_watches, 1);
}
