/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sleeping and periodic releases. A release is the end of a wait for an instant. Missed releases
 * are counted by arithmetic, so that catching up after a long stop costs nothing.
 */
#include "call/wait.h"
#include "kernel/trace.h"
#include "task/mode.h"
#include "task/task_call.h"

#define PERIOD_MIN_NS 1000
#define PERIOD_MAX_NS (UINT64_MAX / 4)
#define MOVED         1 /* the call went to a CPU from which the task has moved */

static int sleep_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	int result;

	(void)object;
	result = nuc_wait(cpu, call, NULL);
	/* The instant has passed: the sleep is over. */
	return result == -TACT_ETIMEDOUT ? 0 : result;
}

int tact_task_sleep_until(tact_timeout_t until)
{
	struct nuc_plain_call args;

	if (until.kind == TACT_TIMEOUT_NOWAIT)
		return -TACT_EINVAL;
	if (!tact_task_self().id)
		return -TACT_EPERM;
	nuc_call_init(&args.call, sleep_run, NUC_TYPE_CPU, nuc_handle_of_cpu(nuc_caller_cpu()),
		      NUC_CALL_WAITS, sizeof(args));
	return nuc_call_timeout(&args.call, until);
}

int tact_task_sleep(uint64_t duration_ns)
{
	return duration_ns ? tact_task_sleep_until(tact_in(duration_ns)) : tact_task_yield();
}

static int periodic_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call)
{
	uint64_t now = hal_now_ns();
	uint64_t first = call->a ? call->a : now + call->b;

	(void)cpu;
	if (call->b && first < now)
		return -TACT_ETIMEDOUT;
	task->period.ns = call->b;
	task->period.release_ns = first;
	task->awaits_release = 0;
	task->status->period_ns = task->period.ns;
	return 0;
}

int tact_task_set_periodic(tact_task_t task, tact_time_t first, uint64_t period_ns)
{
	struct nuc_task_call call;

	if (period_ns &&
	    (period_ns < PERIOD_MIN_NS || period_ns > PERIOD_MAX_NS || first.ns > PERIOD_MAX_NS))
		return -TACT_EINVAL;
	call.a = first.ns;
	call.b = period_ns;
	return nuc_task_call(task, &call, NUC_CALL_TASKS, periodic_act);
}

struct period_call {
	struct nuc_call call;
	uint64_t release_ns;
	uint64_t overruns;
};

/* The wait has ended by its release, or was broken before it. */
static void period_done(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_call *call)
{
	(void)cpu;
	/* Gravity may have ended the wait before the instant: the release is taken all the same. */
	if (!call->result)
		task->awaits_release = 0;
}

static const struct nuc_call_hooks period_hooks = {.done = period_done};

static int period_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct period_call *args = base_container_of(call, struct period_call, call);
	struct nuc_task *task = call->task;
	uint64_t now;
	int result;

	(void)object;
	/* The task was moved after it had found its CPU and before it came here. */
	if (call->origin != cpu)
		return MOVED;
	if (!task->period.ns)
		return -TACT_ESRCH;
	now = hal_now_ns();
	args->overruns = 0;
	/* The last wait was broken before its release, which has passed since: that release is
	 * missed. */
	if (task->awaits_release && now >= task->period.release_ns - task->period.ns) {
		task->period.release_ns -= task->period.ns;
		task->awaits_release = 0;
	}
	/* No release is waited for: wait for the next one, if it is still to come. */
	if (!task->awaits_release && now < task->period.release_ns) {
		if (task->sched->release)
			task->sched->release(cpu, task, task->period.release_ns);
		task->awaits_release = 1;
		task->period.release_ns += task->period.ns;
	}
	if (task->awaits_release) {
		args->release_ns = task->period.release_ns - task->period.ns;
		call->timeout = tact_at((tact_time_t){args->release_ns});
		/* The instant may pass between looking at the clock here and arming there. */
		result = nuc_wait(cpu, call, NULL);
		if (result != -TACT_ETIMEDOUT)
			return result;
		task->awaits_release = 0;
		return 0;
	}
	/* The first missed release is release_ns; all that follow up to now are missed, too. */
	args->overruns = (now - task->period.release_ns) / task->period.ns + 1;
	args->release_ns = task->period.release_ns + (args->overruns - 1) * task->period.ns;
	task->period.release_ns = args->release_ns + task->period.ns;
	task->status->overruns += args->overruns;
	if (task->sched->release)
		task->sched->release(cpu, task, args->release_ns);
	nuc_trace(cpu, TACT_TRACE_RELEASE, task->object.handle, args->overruns);
	return -TACT_ETIMEDOUT;
}

int tact_task_wait_period(uint64_t *overruns, tact_time_t *release)
{
	struct period_call args;
	int result;

	if (!tact_task_self().id)
		return -TACT_EPERM;
	do {
		nuc_call_init(&args.call, period_run, NUC_TYPE_CPU,
			      nuc_handle_of_cpu(nuc_caller_cpu()), NUC_CALL_TASKS, sizeof(args));
		args.call.hooks = &period_hooks;
		result = nuc_call(&args.call);
	} while (result == MOVED);
	if (result && result != -TACT_ETIMEDOUT)
		return result;
	if (overruns)
		*overruns = args.overruns;
	if (release)
		release->ns = args.release_ns;
	return result;
}
