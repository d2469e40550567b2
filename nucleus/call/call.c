/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The paths of a call: it is run at once if the caller is on the object's home CPU; otherwise it
 * goes there and back by message. Only this file decides whether a caller waits, and how.
 */
#include "call/call.h"

#include <tactus/skin.h>

#include "call/cast.h"
#include "call/upcall.h"
#include "call/wait.h"
#include "task/task.h"

static int run_local(struct nuc_cpu *cpu, struct nuc_call *call)
{
	int result;
	struct nuc_object *object = nuc_lookup(cpu, call->handle, call->type, &result);

	return object ? call->run(cpu, object, call) : result;
}

void nuc_call_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_call *call = base_container_of(message, struct nuc_call, message);
	int result = run_local(cpu, call);

	if (result != NUC_WAITING)
		nuc_call_complete(cpu, call, result);
}

/* A relative timeout counts from here, not from the arrival. */
static void fix_timeout(struct nuc_call *call)
{
	if (call->timeout.kind == TACT_TIMEOUT_RELATIVE)
		call->timeout =
			tact_at(tact_time_add((tact_time_t){hal_now_ns()}, call->timeout.ns));
}

/* Send to a CPU. The caller's task then waits for the result; a handler sends a cast and does not
 * wait. */
static int send(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to,
		void (*deliver)(struct nuc_cpu *, struct nuc_message *))
{
	int result = NUC_WAITING;

	if (cpu->in_handler) {
		if (!(call->flags & NUC_CALL_CAST))
			return -TACT_EPERM;
		result = nuc_cast_make(cpu, call, &call);
		if (result)
			return result;
	}
	fix_timeout(call);
	call->sent = 1;
	call->message.deliver = deliver;
	nuc_message_send(to, &call->message);
	return result;
}

int nuc_call_forward(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to,
		     void (*deliver)(struct nuc_cpu *cpu, struct nuc_message *message))
{
	/* The caller is not on this CPU: the call only travels on, and the state of this CPU does
	 * not matter. */
	if (call->is_cast || call->origin != cpu) {
		call->message.deliver = deliver;
		nuc_message_send(to, &call->message);
		return NUC_WAITING;
	}
	return send(cpu, call, to, deliver);
}

int nuc_call_cast(struct nuc_cpu *cpu, struct nuc_call *call)
{
	uint32_t home = nuc_handle_cpu(call->handle);
	int result;

	if (home == cpu->hal.index)
		return run_local(cpu, call);
	if (home >= nuc_cpu_count)
		return -TACT_EBADF;
	result = nuc_cast_make(cpu, call, &call);
	if (result)
		return result;
	call->message.deliver = nuc_call_arrive;
	nuc_message_send(&nuc_cpus[home], &call->message);
	return 0;
}

static int send_from_task(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_cpu *to)
{
	int result = NUC_WAITING;

	if (call->hooks && call->hooks->depart)
		result = call->hooks->depart(cpu, call);
	return result == NUC_WAITING ? send(cpu, call, to, nuc_call_arrive) : result;
}

static int call_from_task(struct nuc_cpu *cpu, struct nuc_call *call)
{
	uint32_t home = nuc_handle_cpu(call->handle);
	int result;

	if (cpu->in_handler &&
	    (call->flags & NUC_CALL_TASKS ||
	     (call->flags & NUC_CALL_WAITS && call->timeout.kind != TACT_TIMEOUT_NOWAIT))) {
		nuc_leave(cpu);
		return -TACT_EPERM;
	}
	call->task = cpu->current;
	call->origin = cpu;
	if (home == cpu->hal.index)
		result = run_local(cpu, call);
	else if (home < nuc_cpu_count)
		result = send_from_task(cpu, call, &nuc_cpus[home]);
	else
		result = -TACT_EBADF;
	if (result == NUC_WAITING)
		result = nuc_task_wait(cpu, call);
	else
		nuc_leave(cpu);
	if (__builtin_expect(call->task->goes_back, 0))
		nuc_task_go_back(call->task);
	return result;
}

static int send_from_linux(struct nuc_call *call)
{
	uint32_t home = nuc_handle_cpu(call->handle);

	if (home >= nuc_cpu_count)
		return -TACT_EBADF;
	call->task = NULL;
	call->origin = NULL;
	atomic_store_explicit(&call->word.value, 0, memory_order_relaxed);
	fix_timeout(call);
	call->message.deliver = nuc_call_arrive;
	nuc_message_send(&nuc_cpus[home], &call->message);
	hal_linux_wait(&call->word);
	while (call->due_ns && hal_now_ns() < call->due_ns)
		hal_relax_processor();
	return call->result;
}

static bool only_task_may_wait(const struct nuc_call *call)
{
	return call->flags & NUC_CALL_WAITS && call->timeout.kind == TACT_TIMEOUT_FOREVER &&
	       call->timeout.ns == TACT_FOREVER_TASK_NS;
}

static int call_from_linux(struct nuc_call *call)
{
	int result;

	if (!hal_linux_caller_ok() || call->flags & NUC_CALL_OWNS || only_task_may_wait(call))
		return -TACT_EPERM;
	result = nuc_linux_begin();
	if (result)
		return result;
	result = send_from_linux(call);
	nuc_linux_end();
	return result;
}

int nuc_call(struct nuc_call *call)
{
	return nuc_call_entered(nuc_enter(), call);
}

int nuc_call_entered(struct nuc_cpu *cpu, struct nuc_call *call)
{
	for (;; cpu = nuc_enter()) {
		struct nuc_task *task;
		int result;

		if (__builtin_expect(cpu != NULL, 1)) {
			if (!nuc_timer_catch_up_one(cpu))
				return call_from_task(cpu, call);
			/* Another task may be more urgent now, also than the rest of a burst. */
			nuc_leave(cpu);
			continue;
		}
		task = hal_shadow_owner();
		if (task && nuc_task_stray(task))
			return -TACT_EPERM;
		/* A thread that is being attached is a plain thread until its task has the
		 * shadow. */
		if (!task || !task->shadow)
			return call_from_linux(call);
		result = nuc_task_harden(task);
		if (result)
			return result;
	}
}

int nuc_call_timeout(struct nuc_call *call, tact_timeout_t timeout)
{
	if (timeout.kind > TACT_TIMEOUT_WALL)
		return -TACT_EINVAL;
	call->timeout = timeout;
	return nuc_call(call);
}
