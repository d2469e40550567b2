/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What Xenomai 2 reported of its objects, derived from what the present services report. */
#include <alchemy/alarm.h>
#include <alchemy/cond.h>
#include <alchemy/mutex.h>

#include "alchemy_task.h"
#include "remote.h"

typedef RT_TASK_INFO task_info;
typedef RT_MUTEX_INFO mutex_info;

#include <trank/native/alarm.h>
#include <trank/native/cond.h>
#include <trank/native/mutex.h>
#include <trank/native/task.h>
#undef rt_alarm_inquire
#undef rt_cond_inquire
#undef rt_mutex_inquire
#undef rt_task_inquire

static int query_remote(const void *descriptor, enum alchemy_type type, void *info, size_t bytes)
{
	struct session_call call = {
		.timeout = TACT_NOWAIT, .room = info, .room_bytes = info ? bytes : 0};

	return (int)alchemy_remote(descriptor, REMOTE(type, REMOTE_INQUIRE_NATIVE), &call);
}

/* The next release; 0 for a task that is not periodic. */
static RTIME release_of(RT_TASK *task)
{
	struct runtime_record *object;
	struct tact_task_info native = {0};

	if (alchemy_task_find(task, &object) || tact_task_inquire(alchemy_task(object), &native))
		return 0;
	return (RTIME)rt_timer_ns2ticks((SRTIME)native.release.ns);
}

/* Between processes, dates are in ns. */
static int task_remote(RT_TASK *task, native_task_info *info)
{
	int error = query_remote(task, ALCHEMY_TASK, info, sizeof(*info));

	if (!error)
		info->relpoint = (RTIME)rt_timer_ns2ticks((SRTIME)info->relpoint);
	return error;
}

int rt_task_inquire_native(RT_TASK *task, native_task_info *info)
{
	task_info now;
	int error = rt_task_inquire(task, info ? &now : NULL);

	if (error || !info)
		return error;
	if (task && alchemy_is_proxy(task, ALCHEMY_TASK))
		return task_remote(task, info);
	memset(info, 0, sizeof(*info));
	info->bprio = now.prio;
	info->cprio = now.stat.cprio;
	info->status = now.stat.status | (now.stat.status & XNDORMANT ? 0 : T_STARTED);
	info->relpoint = release_of(task);
	memcpy(info->name, now.name, sizeof(info->name));
	info->exectime = now.stat.xtime;
	info->modeswitches = (int)now.stat.msw;
	info->ctxswitches = (int)now.stat.csw;
	info->pagefaults = (int)now.stat.pf;
	info->stat = now.stat;
	info->pid = now.pid;
	return 0;
}

/* If main() is the owner, its name is unknown. */
static void name_owner(RT_TASK owner, native_mutex_info *info)
{
	task_info task;

	if (!rt_task_inquire(&owner, &task))
		memcpy(info->owner, task.name, sizeof(info->owner));
}

int rt_mutex_inquire_native(RT_MUTEX *mutex, native_mutex_info *info)
{
	const struct runtime_record *object;
	struct tact_mutex_info native = {0};
	mutex_info now;
	int error = rt_mutex_inquire(mutex, info ? &now : NULL);

	if (error || !info)
		return error;
	object = alchemy_find(mutex, ALCHEMY_MUTEX);
	if (!object)
		return query_remote(mutex, ALCHEMY_MUTEX, info, sizeof(*info));
	error = tact_mutex_inquire(alchemy_mutex(object), &native);
	if (error)
		return alchemy_result(error);
	memset(info, 0, sizeof(*info));
	info->locked = (int)native.depth;
	info->nwaiters = (int)native.waiters;
	memcpy(info->name, now.name, sizeof(info->name));
	name_owner(alchemy_task_descriptor(native.owner), info);
	return 0;
}

int rt_cond_inquire_native(RT_COND *cond, native_cond_info *info)
{
	const struct runtime_record *object = alchemy_find(cond, ALCHEMY_COND);
	struct tact_cond_info native = {0};
	int error;

	if (!object)
		return query_remote(cond, ALCHEMY_COND, info, sizeof(*info));
	error = tact_cond_inquire(alchemy_cond(object), &native);
	if (error || !info)
		return alchemy_result(error);
	info->nwaiters = (int)native.waiters;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

int rt_alarm_inquire_native(RT_ALARM *alarm, native_alarm_info *info)
{
	const struct runtime_record *object = alchemy_find(alarm, ALCHEMY_ALARM);
	struct tact_timer_info native = {0};
	int error = object ? tact_timer_inquire(alchemy_timer(object), &native) : -TACT_EBADF;

	if (error || !info)
		return alchemy_result(error);
	info->expiration =
		native.active ? (RTIME)rt_timer_ns2ticks((SRTIME)native.next.ns) : TM_INFINITE;
	info->expiries = native.expiries;
	memcpy(info->name, object->name, sizeof(info->name));
	info->active = (int)native.active;
	return 0;
}

static int serve_task(RT_TASK *task, native_task_info *info)
{
	int error = rt_task_inquire_native(task, info);

	if (!error && info)
		info->relpoint = (RTIME)rt_timer_ticks2ns((SRTIME)info->relpoint);
	return error;
}

int64_t alchemy_serve_native(struct session_call *call)
{
	RT_TASK task = {.handle = (uintptr_t)call->object};
	RT_MUTEX mutex = {.handle = (uintptr_t)call->object};
	RT_COND cond = {.handle = (uintptr_t)call->object};

	switch (call->service >> 8) {
	case ALCHEMY_TASK:
		return serve_task(&task, alchemy_served_buffer(call, sizeof(native_task_info)));
	case ALCHEMY_MUTEX:
		return rt_mutex_inquire_native(
			&mutex, alchemy_served_buffer(call, sizeof(native_mutex_info)));
	case ALCHEMY_COND:
		return rt_cond_inquire_native(
			&cond, alchemy_served_buffer(call, sizeof(native_cond_info)));
	default:
		return -EINVAL;
	}
}
