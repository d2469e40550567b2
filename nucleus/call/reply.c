/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The way back of a call, and the end of a wait that must not end before its instant. */
#include "call/reply.h"

#include "call/alternative.h"
#include "call/cast.h"
#include "call/upcall.h"
#include "task/task.h"

/* Not inline: its registers would have to be saved in the usual case, too. */
static __attribute__((noinline)) void end_at_due_time(struct nuc_cpu *cpu, struct nuc_call *call)
{
	const uint64_t earliest_ns = cpu->expiry.earliest_ns, hold_ns = cpu->hold_ns;
	struct nuc_task *task = call->task;

	cpu->expiry.earliest_ns = call->due_ns;
	cpu->hold_ns = call->due_ns
			       ? call->due_ns - cpu->gravity_ns[task->shadow ? NUC_CONTEXT_TASK
									     : NUC_CONTEXT_LIGHT]
			       : 0;
	nuc_task_wait_done(cpu, task);
	cpu->expiry.earliest_ns = earliest_ns;
	cpu->hold_ns = hold_ns;
}

/*
 * Where a timer fires early, the task that becomes ready is held back until the deadline. A result
 * that came from another CPU or was put off is held back here, so that no wait ends before its
 * instant.
 */
void nuc_call_end(struct nuc_cpu *cpu, struct nuc_call *call)
{
	if (__builtin_expect(call->due_ns == cpu->expiry.earliest_ns, 1))
		nuc_task_wait_done(cpu, call->task);
	else
		end_at_due_time(cpu, call);
}

/* The result is back on a real-time CPU: end the wait on the CPU where the task is now. */
static void reply_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, message);

	if (nuc_call_follow(cpu, call, message))
		return;
	call->replied = 1;
	if (!call->update_flying)
		nuc_call_end(cpu, call);
}

static __attribute__((noinline)) void complete_cross_cpu(struct nuc_cpu *cpu, struct nuc_call *call)
{
	if (nuc_is_alternative(call)) {
		nuc_alternative_of(call)->answer(cpu, call, call->result);
		return;
	}
	if (!call->completed)
		call->due_ns = cpu->expiry.earliest_ns;
	if (call->pinned) {
		call->completed = 1;
	} else if (call->is_cast) {
		nuc_cast_complete(call);
	} else if (call->origin == cpu) {
		/* A call that was sent comes back by message: its task may be on another CPU. */
		call->message.deliver = reply_arrive;
		reply_arrive(cpu, &call->message);
	} else if (!call->origin) {
		hal_linux_wake(&call->word);
	} else {
		call->message.deliver = reply_arrive;
		nuc_message_send(call->origin, &call->message);
	}
}

void nuc_call_complete(struct nuc_cpu *cpu, struct nuc_call *call, int result)
{
	call->result = result;
	/* The task is on this CPU, and only its CPU changes update_flying. Nothing else has to
	 * come: the wait is over. */
	if (__builtin_expect(call->origin == cpu && !call->special &&
				     atomic_load_explicit(&call->task->cpu, memory_order_acquire) ==
					     cpu,
			     1)) {
		call->replied = 1;
		nuc_task_wait_done(cpu, call->task);
	} else {
		complete_cross_cpu(cpu, call);
	}
}

void nuc_call_unpin(struct nuc_cpu *cpu, struct nuc_call *call)
{
	call->pinned = 0;
	if (call->completed)
		nuc_call_complete(cpu, call, call->result);
}
