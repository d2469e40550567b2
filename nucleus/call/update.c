/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Updates of a call that waits: the task's CPU tells the holder a new urgency or a cancellation. A
 * holder on another CPU gets it by message, of which one at most is under way; what changes
 * meanwhile goes with the next one. The call ends only when its answer and the message are both
 * back.
 */
#include "call/update.h"

#include "call/batch.h"
#include "call/reply.h"
#include "call/wait.h"
#include "task/task.h"

/*
 * Break a wait, on the CPU that holds the call. Returns whether the wait was broken. If the wait is
 * over, its result does not change any more; still, a signal or the end of the task does not wait
 * for the batch.
 */
static bool break_in(struct nuc_cpu *cpu, struct nuc_call *call, enum nuc_break how, int result)
{
	if (__builtin_expect(nuc_wait_is_over(call), 0)) {
		if (how < NUC_BREAK_MUST)
			return false;
		nuc_batch_leave(cpu, call, how == NUC_BREAK_END ? NUC_ENDED : NUC_WAITING);
		return true;
	}
	if (how <= call->stays)
		return false;
	nuc_wait_break(cpu, call, result);
	return true;
}

static void update_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

static void update_send(struct nuc_cpu *cpu, struct nuc_call *call)
{
	uint32_t home = nuc_handle_cpu(call->handle);

	call->update_flying = 1;
	call->update_again = 0;
	call->update_from = cpu;
	/* By value: while the message is under way, the holder may read these fields. */
	call->update_cancel = call->cancelled;
	call->update_result = call->cancel_result;
	call->update_urgency = nuc_call_urgency(call);
	call->update.deliver = update_arrive;
	nuc_message_send(&nuc_cpus[home], &call->update);
}

static void update_back(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, update);

	if (nuc_call_follow(cpu, call, message))
		return;
	call->update_flying = 0;
	if (call->replied)
		nuc_call_end(cpu, call);
	else if (call->update_again)
		update_send(cpu, call);
}

static void update_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, update);

	/* A call that is not held on this CPU has been answered already, or does not wait. */
	if (call->holder == cpu && !break_in(cpu, call, call->update_cancel, call->update_result))
		nuc_wait_reprioritize(cpu, call, call->update_urgency);
	call->update.deliver = update_back;
	nuc_message_send(call->update_from, &call->update);
}

static bool held_local(const struct nuc_cpu *cpu, const struct nuc_call *call)
{
	return !call->sent && nuc_handle_cpu(call->handle) == cpu->hal.index;
}

/* Send the update to the holder. The call ends only when its answer and the update are both
 * back. */
static void update(struct nuc_cpu *cpu, struct nuc_call *call)
{
	if (call->replied)
		return;
	if (call->update_flying)
		call->update_again = 1;
	else
		update_send(cpu, call);
}

void nuc_call_cancel(struct nuc_cpu *cpu, struct nuc_call *call, enum nuc_break how, int result)
{
	if (held_local(cpu, call)) {
		/* If it is not queued any more, its result exists and is on its way to the task. */
		if (call->holder)
			(void)break_in(cpu, call, how, result);
		return;
	}
	if (how > call->cancelled) {
		call->cancelled = (uint8_t)how;
		call->cancel_result = result;
	}
	update(cpu, call);
}

bool nuc_call_is_over(const struct nuc_cpu *cpu, const struct nuc_call *call)
{
	return held_local(cpu, call) && call->holder && nuc_wait_is_over(call);
}

void nuc_call_reprioritize(struct nuc_cpu *cpu, struct nuc_call *call)
{
	if (!held_local(cpu, call))
		update(cpu, call);
	else if (call->holder)
		nuc_wait_reprioritize(cpu, call, nuc_call_urgency(call));
}
