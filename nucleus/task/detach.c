/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * An attached thread stops being a task: on request, or because it ends. It goes to secondary mode
 * first, because the thread that continues there is the one that lets the task go.
 */
#include <tactus/skin.h>

#include "task/end.h"
#include "task/task_call.h"

/* Only an attached thread can be detached. It needs Linux for that, so the flags that forbid or
 * report a Linux call are cleared. */
static int goes_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	(void)cpu;
	(void)call;
	if (!task->attached)
		return -TACT_EPERM;
	task->flags &= ~(TACT_TASK_NO_LINUX | TACT_TASK_WARN | TACT_TASK_SIGNAL);
	/* From here on its thread may become plain at any moment, and its shadow may become that of
	 * another task. */
	task->leaves = 1;
	return 0;
}

/* The same for a thread that continues: it must not own a lock. */
static int may_go_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	if (task->attached && !nuc_owned_locks_empty(&task->owned_locks))
		return -TACT_EBUSY;
	return goes_act(cpu, task, call);
}

/* The thread is plain again: end the task, which has neither shadow nor stack now. */
static void gone_arrive(struct nuc_cpu *cpu, struct nuc_message *message)
{
	struct nuc_task *task = base_container_of(message, struct nuc_task, park_message);

	if (nuc_task_message_follows(cpu, task, message))
		return;
	task->shadow = NULL;
	task->gone = 1;
	nuc_task_set_state(task, TACT_TASK_STATE_DORMANT);
	nuc_task_end(cpu, task, false);
}

/*
 * The thread does not wait for the message: what it sends to this CPU next comes behind it. The
 * thread is counted in nuc_linux_callers, so that the stop waits for a message that was sent while
 * the CPUs still ran. A task in secondary mode does not end before this message arrives. A stray
 * task needs no message: it was dropped with all others.
 */
static int send_gone(struct nuc_task *task)
{
	int error = hal_linux_caller_ok() ? nuc_linux_begin() : -TACT_EPERM;

	if (error)
		return error;
	if (!nuc_task_stray(task)) {
		/* Its park_message is free: it does not park any more. */
		task->park_message.deliver = gone_arrive;
		nuc_message_send(atomic_load_explicit(&task->cpu, memory_order_acquire),
				 &task->park_message);
	}
	nuc_linux_end();
	return 0;
}

static int detach(int (*check)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *))
{
	struct nuc_task_call may_go;
	struct nuc_task *task = hal_shadow_owner();
	int result;

	if (task && task->attached && nuc_task_stray(task)) {
		hal_shadow_release(task->shadow);
		return 0;
	}
	result = nuc_task_call(TACT_SELF, &may_go, NUC_CALL_TASKS, check);
	if (!result)
		result = tact_task_relax();
	if (result)
		return result;
	task = hal_shadow_owner();
	hal_shadow_release(task->shadow);
	return send_gone(task);
}

int tact_task_detach(void)
{
	return detach(may_go_act);
}

void nuc_upcall_thread_ends(void)
{
	(void)detach(goes_act);
}

static void (*_Atomic stop_hook)(void);

void tact_on_stop(void (*hook)(void))
{
	atomic_store_explicit(&stop_hook, hook, memory_order_release);
}

void nuc_upcall_thread_stopped(void)
{
	void (*hook)(void) = atomic_load_explicit(&stop_hook, memory_order_acquire);

	if (hook)
		hook();
}
