/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Routines: functions that tasks call when they are requested to. NUC_WANTS_ROUTINE is set exactly
 * if there is a request that is not masked.
 */
#include "task/routine.h"

#include <tactus/routine.h>

#include "call/upcall.h"
#include "kernel/sized.h"
#include "object/growth.h"
#include "task/mode.h"
#include "task/task_call.h"
#include "task/wants.h"

/* The requests, the mask or the routine may have changed. */
static void review(struct nuc_task *task, const struct nuc_routine *routine)
{
	if (routine->run && routine->requests & ~routine->masked)
		task->wants |= NUC_WANTS_ROUTINE;
	else
		task->wants &= (uint8_t)~NUC_WANTS_ROUTINE;
}

/* The routine of a task that has one. */
static struct nuc_routine *find(const struct nuc_task *task)
{
	struct nuc_routine *routine = nuc_routine_of(task);

	return routine && routine->run ? routine : NULL;
}

void nuc_routine_at_switch(struct nuc_task *task)
{
	struct nuc_routine *routine = nuc_routine_of(task);

	if (!routine->begun)
		return;
	routine->requests |= routine->at_switch;
	review(task, routine);
}

/* The routine may have left the task in secondary mode. */
static struct nuc_cpu *enter_again(struct nuc_task *task)
{
	for (;;) {
		struct nuc_cpu *cpu = nuc_enter();

		if (cpu)
			return cpu;
		(void)nuc_task_harden(task);
	}
}

/* The mask as it was before the routine, unless a new routine came with another one. */
static void restore_mask(struct nuc_routine *routine, uint64_t former)
{
	if (routine->mask_due && !routine->running) {
		routine->masked = routine->defined;
		routine->mask_due = false;
	} else {
		routine->masked = former;
	}
}

struct nuc_cpu *nuc_routine_run(struct nuc_task *task)
{
	struct nuc_routine *routine = nuc_routine_of(task);
	const struct nuc_routine now = *routine;
	struct nuc_cpu *cpu;

	routine->requests &= now.masked;
	routine->masked = UINT64_MAX;
	routine->running = true;
	review(task, routine);
	hal_leave();
	now.run(now.requests & ~now.masked, now.arg);
	cpu = enter_again(task);
	routine->running = now.running;
	restore_mask(routine, now.masked);
	review(task, routine);
	nuc_task_mark(cpu, task);
	return cpu;
}

void nuc_routine_reset(struct nuc_task *task)
{
	struct nuc_routine *routine = nuc_routine_of(task);

	task->wants &= NUC_WANTS_SWITCH;
	if (!routine)
		return;
	routine->requests = 0;
	routine->masked = routine->defined;
	routine->running = false;
	routine->mask_due = false;
	routine->begun = false;
}

void nuc_routine_free(struct nuc_cpu *cpu, struct nuc_task *task)
{
	struct nuc_routine *routine = nuc_routine_of(task);

	if (routine)
		nuc_pool_put(cpu, routine);
	atomic_store_explicit(&task->routine, NULL, memory_order_relaxed);
}

static bool has_room(const struct nuc_task *task)
{
	const size_t minimum = hal_stack_minimum();

	/* The stack of an attached thread is not known. */
	return !task->stack.base || task->stack.bytes >= minimum + minimum / 2;
}

static int set_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	const struct tact_routine *given = call->pointer;
	struct nuc_routine *routine = nuc_routine_of(task);

	if (given->run && !has_room(task))
		return -TACT_ENOSPC;
	if (!given->run)
		routine->requests = 0;
	if (call->a)
		routine->begun = task->status->switches != 0;
	routine->run = given->run;
	routine->arg = given->arg;
	routine->defined = given->masked;
	routine->at_switch = given->at_switch;
	routine->mask_due = routine->running;
	if (!routine->running)
		routine->masked = given->masked;
	if (given->at_switch)
		task->wants |= NUC_WANTS_SWITCH;
	else
		task->wants &= (uint8_t)~NUC_WANTS_SWITCH;
	review(task, routine);
	nuc_task_mark(cpu, task);
	return 0;
}

/* On the home CPU of the handle, which makes the record. */
static int set_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct nuc_task_call *args = base_container_of(call, struct nuc_task_call, call);
	struct nuc_task *task = nuc_task_of(object);
	const struct tact_routine *given = args->pointer;
	struct nuc_routine *routine = nuc_routine_of(task);

	if (task->ended)
		return -TACT_EBUSY;
	if (!routine && !given->run)
		return 0;
	if (!routine) {
		routine = nuc_pool_get(cpu, sizeof(*routine));
		if (!routine)
			return -TACT_ENOMEM;
		atomic_store_explicit(&task->routine, routine, memory_order_release);
		args->a = 1; /* it is new: the entry could not tell that it was reached */
	}
	return nuc_task_act(cpu, task, args, set_act, NUC_IF_ENDED_REFUSE);
}

int tact_task_set_routine(tact_task_t task, const struct tact_routine *routine)
{
	struct tact_routine known = {.run = NULL};
	struct nuc_task_call args;
	int error;

	if (routine && (nuc_sized_read(&known, sizeof(known), sizeof(known), routine) ||
			known.reserved || !known.run))
		return -TACT_EINVAL;
	error = nuc_task_resolve(&task);
	if (error)
		return error;
	nuc_call_init(&args.call, set_run, NUC_TYPE_TASK, task.id, NUC_CALL_TASKS, sizeof(args));
	args.pointer = &known;
	args.a = 0;
	return nuc_call_create(&args.call);
}

static int request_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	struct nuc_routine *routine = find(task);

	if (!routine)
		return -TACT_ENOTSUP;
	routine->requests |= call->a;
	review(task, routine);
	nuc_task_mark(cpu, task);
	return 0;
}

int tact_task_request(tact_task_t task, uint64_t requests)
{
	struct nuc_task_call call;

	call.a = requests;
	return nuc_task_call(task, &call, NUC_CALL_CAST, request_act);
}

/* Change the mask of the running task. */
static int mask(struct nuc_cpu *cpu, uint64_t set, uint64_t clear, uint64_t *former)
{
	struct nuc_task *task = cpu->current;
	struct nuc_routine *routine = find(task);

	if (cpu->in_handler)
		return -TACT_EPERM;
	if (!routine)
		return -TACT_ENOTSUP;
	*former = routine->masked;
	routine->masked = (routine->masked | set) & ~clear;
	review(task, routine);
	nuc_task_mark(cpu, task);
	return 0;
}

int tact_task_mask_requests(uint64_t set, uint64_t clear, uint64_t *former)
{
	struct nuc_cpu *cpu;
	int result = nuc_task_enter(&cpu);
	uint64_t masked;

	if (result)
		return result;
	result = mask(cpu, set, clear, &masked);
	nuc_task_leave(cpu);
	if (!result && former)
		*former = masked;
	return result;
}

static int inquire_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	const struct nuc_routine *routine = find(task);
	struct tact_routine_info *info = call->pointer;

	(void)cpu;
	if (!routine)
		return -TACT_ENOTSUP;
	info->running = routine->running;
	info->requests = routine->requests;
	info->masked = routine->masked;
	return 0;
}

int tact_task_inquire_routine(tact_task_t task, struct tact_routine_info *info)
{
	struct tact_routine_info known = {.size = 0};
	struct nuc_task_call call;
	int result;

	if (!info || nuc_sized_check(info, sizeof(*info)))
		return -TACT_EINVAL;
	call.pointer = &known;
	result = nuc_task_call(task, &call, NUC_CALL_TASKS, inquire_act);
	if (!result)
		nuc_sized_write(info, sizeof(*info), &known, sizeof(known));
	return result;
}
