/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Suspension and sleep. A task that suspends itself waits at a semaphore of its record, so that it
 * can be resumed before; another task is suspended in the nucleus. The depth is that of RTAI: below
 * 0 it counts resumptions that came before.
 */
#include "rtai_task.h"

/* A sleeper is to look at its instant again; no code of the nucleus. */
#define LOOK_AGAIN (-3001)

void rtai_end_suspension(struct runtime_record *record)
{
	struct rtai_task *task = rtai_task_of(record);

	const bool by_others = atomic_exchange(&task->by_others, 0);

	if (atomic_exchange(&task->suspended, 0) > 0 && !by_others && !atomic_load(&task->owned))
		(void)tact_sem_post(task->resumed);
	if (by_others)
		(void)tact_task_resume(rtai_native_task(record));
}

/* The caller, whose depth has become 1, waits until it is resumed. */
int rtai_wait_resumed(struct rtai_task *task, tact_timeout_t timeout)
{
	struct runtime_record *self;
	const bool timed = timeout.kind != TACT_TIMEOUT_FOREVER;
	int error;

	self = rtai_waits(RT_SCHED_SUSPENDED | (timed ? RT_SCHED_DELAYED : 0));
	error = tact_sem_wait(task->resumed, timeout);
	rtai_waited(self);
	if (!error)
		return atomic_load(&task->suspended);
	/* Unless it is being resumed at this moment. */
	if (atomic_exchange(&task->suspended, 0) <= 0)
		(void)tact_sem_wait(task->resumed, TACT_NOWAIT);
	return rtai_result(error);
}

/* Suspend another task, which nobody can resume in the middle of that. Returns the former depth. */
int rtai_suspend_other(struct runtime_record *record)
{
	struct rtai_task *task = rtai_task_of(record);
	const int locks = tact_task_lock_handlers();
	const int before = atomic_fetch_add(&task->suspended, 1);

	if (!before && atomic_load(&task->owned) <= 0) {
		atomic_store(&task->by_others, 1);
		(void)tact_task_suspend(rtai_native_task(record));
	}
	if (locks >= 0)
		(void)tact_task_restore_handlers((uint32_t)locks);
	return before;
}

static int suspend(RT_TASK *pointer, tact_timeout_t timeout)
{
	struct runtime_record *record = rtai_task_arg(pointer);
	struct rtai_task *task;
	int before;

	if (!record || (!pointer && runtime_in_handler()))
		return -EINVAL;
	task = rtai_task_of(record);
	if (record == rtai_self() && !runtime_in_handler()) {
		before = atomic_fetch_add(&task->suspended, 1);
		return before || atomic_load(&task->owned) > 0 ? before + 1
							       : rtai_wait_resumed(task, timeout);
	}
	before = rtai_suspend_other(record);
	if (!before && timeout.kind != TACT_TIMEOUT_FOREVER)
		(void)tact_timer_start(task->starts, timeout, 0);
	return before + 1;
}

int rt_task_suspend(RT_TASK *task)
{
	return suspend(task, TACT_FOREVER);
}

int rt_task_suspend_if(RT_TASK *task)
{
	struct runtime_record *record = rtai_task_arg(task);
	int depth;

	if (!record)
		return -EINVAL;
	depth = atomic_load(&rtai_task_of(record)->suspended);
	while (depth < 0 &&
	       !atomic_compare_exchange_weak(&rtai_task_of(record)->suspended, &depth, depth + 1))
		;
	return depth < 0 ? depth + 1 : depth;
}

int rt_task_suspend_until(RT_TASK *task, RTIME time)
{
	const tact_timeout_t timeout = rtai_until(time);

	if (!rtai_task_arg(task))
		return -EINVAL;
	return timeout.ns > tact_now().ns ? suspend(task, timeout) : RTE_TMROVRN;
}

int rt_task_suspend_timed(RT_TASK *task, RTIME delay)
{
	if (!rtai_task_arg(task))
		return -EINVAL;
	return delay > 0 ? suspend(task, rtai_in(delay)) : RTE_TMROVRN;
}

int rt_task_resume(RT_TASK *pointer)
{
	struct runtime_record *record = pointer ? rtai_find(pointer, RTAI_TASK) : NULL;
	struct rtai_task *task;

	if (!record)
		return -EINVAL;
	task = rtai_task_of(record);
	if (atomic_fetch_sub(&task->suspended, 1) != 1)
		return 0;
	if (atomic_exchange(&task->by_others, 0))
		(void)tact_task_resume(rtai_native_task(record));
	else if (!atomic_load(&task->owned))
		(void)tact_sem_post(task->resumed);
	return 0;
}

void rtai_owns_less(void)
{
	struct runtime_record *self = rtai_self();
	struct rtai_task *task = self ? rtai_task_of(self) : NULL;

	if (task && atomic_fetch_sub(&task->owned, 1) == 1 && atomic_load(&task->suspended) > 0)
		(void)rtai_wait_resumed(task, TACT_FOREVER);
}

/* Break a wait in all its states, as the mask has them. */
int rt_task_masked_unblock(RT_TASK *pointer, unsigned long mask)
{
	struct runtime_record *record = pointer ? rtai_find(pointer, RTAI_TASK) : NULL;
	int state;

	if (!record)
		return -EINVAL;
	state = atomic_load(&rtai_task_of(record)->state);
	if (!state)
		return 0;
	if (!(state & ~(int)mask))
		(void)tact_task_unblock(rtai_native_task(record), -TACT_EINTR);
	return RTE_UNBLKD;
}

int rt_task_wakeup_sleeping(RT_TASK *task)
{
	return rt_task_masked_unblock(task, RT_SCHED_DELAYED);
}

/* For a caller that is no task of RTAI. */
static int sleep_plainly(tact_timeout_t until)
{
	int error;

	if (rtai_begin() || !runtime_may_wait())
		return -TACT_EPERM;
	error = tact_task_self().id ? tact_task_sleep_until(until)
				    : tact_sem_wait(runtime_never(), until);
	return error == -TACT_ETIMEDOUT ? 0 : error;
}

int rtai_sleep_until(struct runtime_record *self, int64_t instant)
{
	struct rtai_task *task;
	int error;

	if (!self)
		return rtai_result(sleep_plainly(rtai_until(instant)));
	task = rtai_task_of(self);
	atomic_store(&task->resume_time, instant);
	(void)rtai_waits(RT_SCHED_DELAYED);
	do
		error = tact_task_sleep_until(rtai_until(atomic_load(&task->resume_time)));
	while (error == LOOK_AGAIN);
	rtai_waited(self);
	return rtai_result(error);
}

int rt_sleep_until(RTIME time)
{
	const int64_t instant = (int64_t)rtai_until(time).ns;

	if (instant <= (int64_t)tact_now().ns)
		return RTE_TMROVRN;
	return rtai_sleep_until(rtai_self(), instant);
}

int rt_sleep(RTIME delay)
{
	if (delay <= 0)
		return RTE_TMROVRN;
	return rtai_sleep_until(rtai_self(),
				(int64_t)tact_time_add(tact_now(), rtai_in(delay).ns).ns);
}

int rt_set_resume_time(RT_TASK *rt_task, RTIME new_resume_time)
{
	struct runtime_record *record = rtai_task_arg(rt_task);

	if (!record)
		return -EINVAL;
	if (atomic_load(&rtai_task_of(record)->state) != RT_SCHED_DELAYED)
		return -ETIME;
	atomic_store(&rtai_task_of(record)->resume_time, (int64_t)rtai_until(new_resume_time).ns);
	return tact_task_unblock(rtai_native_task(record), LOOK_AGAIN) ? -ETIME : 0;
}

int rt_task_yield(void)
{
	(void)tact_task_yield();
	return 0;
}
