/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The calls that a task is in: by its saved context, or by the caller's own frames. */
#include <tactus/skin.h>

#include "task/task.h"
#include "task/task_call.h"

/*
 * The frames of a stack whose ends are not known, as that of an attached thread: code without frame
 * pointers may have left any value, so each record is read as if it were an argument of a call.
 * Context: not stalled.
 */
static int walk_unknown(uintptr_t ip, uintptr_t fp, uintptr_t *addresses, uint32_t capacity)
{
	uint32_t count = 0;
	uintptr_t record[2];

	if (ip)
		addresses[count++] = ip;
	while (count < capacity && fp % sizeof(uintptr_t) == 0 &&
	       !hal_copy(record, (const void *)fp, sizeof(record)) && record[1]) {
		addresses[count++] = record[1];
		if (record[0] <= fp || record[0] - fp > HAL_STACK_DEFAULT)
			break;
		fp = record[0];
	}
	return (int)count;
}

/* Returns the number of addresses. If the ends of the stack are not known: 0, with the place from
 * which the caller walks in a and b. */
static int walk_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	const uintptr_t low = (uintptr_t)task->stack.base;
	uintptr_t ip, fp;

	if (task->state & TACT_TASK_STATE_DORMANT)
		return 0;
	if (task == cpu->current || task->state & (TACT_TASK_STATE_RELAXED | TACT_TASK_STATE_ENDED))
		return -TACT_EBUSY;
	hal_context_place(&task->context, &ip, &fp);
	if (low)
		return (int)hal_backtrace(ip, fp, low, low + task->stack.bytes, call->pointer,
					  (uint32_t)call->a);
	call->a = ip;
	call->b = fp;
	return 0;
}

int tact_task_backtrace(tact_task_t task, uintptr_t *addresses, uint32_t capacity)
{
	const tact_task_t self = tact_task_self();
	struct nuc_task_call call;
	int count;

	if (!addresses || !capacity || capacity > TACT_FRAMES_MAX)
		return -TACT_EINVAL;
	if (self.id && (tact_same(task, TACT_SELF) || tact_same(task, self)))
		return walk_unknown(0, (uintptr_t)__builtin_frame_address(0), addresses, capacity);
	call.a = capacity;
	call.b = 0;
	call.pointer = addresses;
	count = nuc_task_call(task, &call, NUC_CALL_TASKS, walk_act);
	return count || !call.b
		       ? count
		       : walk_unknown((uintptr_t)call.a, (uintptr_t)call.b, addresses, capacity);
}
