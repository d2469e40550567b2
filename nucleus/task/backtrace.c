/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that a task is in: by its saved context, or by the caller's own frames. */
#include <tactus/skin.h>

#include "task/task.h"
#include "task/task_call.h"

static size_t walk(const struct nuc_task *task, uintptr_t ip, uintptr_t fp, uintptr_t *addresses,
		   uint32_t capacity)
{
	uintptr_t low = (uintptr_t)task->stack.base;
	uintptr_t bytes = task->stack.bytes;

	/* The stack of an attached thread is not known. */
	if (!low) {
		low = fp;
		bytes = HAL_STACK_DEFAULT;
	}
	return hal_backtrace(ip, fp, low, low + bytes, addresses, capacity);
}

static int walk_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	uintptr_t ip, fp;

	if (task->state & TACT_TASK_STATE_DORMANT)
		return 0;
	if (task == cpu->current || task->state & (TACT_TASK_STATE_RELAXED | TACT_TASK_STATE_ENDED))
		return -TACT_EBUSY;
	hal_context_place(&task->context, &ip, &fp);
	return (int)walk(task, ip, fp, call->pointer, (uint32_t)call->a);
}

int tact_task_backtrace(tact_task_t task, uintptr_t *addresses, uint32_t capacity)
{
	const tact_task_t self = tact_task_self();
	struct nuc_task_call call;
	uintptr_t frame;

	if (!addresses || !capacity || capacity > TACT_FRAMES_MAX)
		return -TACT_EINVAL;
	if (self.id && (tact_same(task, TACT_SELF) || tact_same(task, self))) {
		frame = (uintptr_t)__builtin_frame_address(0);
		return (int)hal_backtrace(0, frame, frame, frame + HAL_STACK_DEFAULT, addresses,
					  capacity);
	}
	call.a = capacity;
	call.pointer = addresses;
	return nuc_task_call(task, &call, NUC_CALL_TASKS, walk_act);
}
