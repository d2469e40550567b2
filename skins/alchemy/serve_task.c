/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks, for other processes. Times are sent in ns, because each side has its own tick. */
#define _GNU_SOURCE /* cpu_set_t */
#include <string.h>

#include <alchemy/task.h>

#include "remote.h"

static RTIME ticks_of(uint64_t ns)
{
	return (RTIME)rt_timer_ns2ticks((SRTIME)ns);
}

/* For arguments in which zero means none: a time of less than a tick does not become zero. */
static RTIME lasting_ticks(uint64_t ns)
{
	RTIME ticks = ticks_of(ns);

	return ns && !ticks ? 1 : ticks;
}

/* The values of the call: the opcode; is a reply wanted; must the task be waiting? */
static int64_t send_message(struct session_call *call, RT_TASK *task)
{
	static const struct timespec now = {0, 0};
	RT_TASK_MCB message = {.opcode = (int)call->value[0],
			       .data = (void *)(uintptr_t)call->data,
			       .size = (ssize_t)call->bytes};
	RT_TASK_MCB reply = {.data = call->room, .size = (ssize_t)call->room_bytes};
	struct timespec until;
	ssize_t result =
		rt_task_send_timed(task, &message, call->value[1] ? &reply : NULL,
				   call->value[2] ? &now : alchemy_served_until(call, &until));

	call->value[0] = (uint64_t)reply.opcode;
	return alchemy_served_bytes(call, result);
}

static int64_t set_affinity(const struct session_call *call, RT_TASK *task)
{
	cpu_set_t cpus;

	if (call->bytes != sizeof(cpus))
		return -EINVAL;
	memcpy(&cpus, call->data, sizeof(cpus));
	return rt_task_set_affinity(task, &cpus);
}

int64_t alchemy_serve_task(struct session_call *call)
{
	RT_TASK task = {.handle = (uintptr_t)call->object};

	switch (call->service) {
	case REMOTE(ALCHEMY_TASK, REMOTE_CHECK):
		return 0;
	case REMOTE(ALCHEMY_TASK, REMOTE_DELETE):
		return rt_task_delete(&task);
	case REMOTE(ALCHEMY_TASK, REMOTE_INQUIRE):
		return rt_task_inquire(&task, alchemy_served_buffer(call, sizeof(RT_TASK_INFO)));
	case REMOTE_TASK_SUSPEND:
		return rt_task_suspend(&task);
	case REMOTE_TASK_RESUME:
		return rt_task_resume(&task);
	case REMOTE_TASK_UNBLOCK:
		return rt_task_unblock(&task);
	case REMOTE_TASK_SET_PRIORITY:
		return rt_task_set_priority(&task, (int)call->value[0]);
	case REMOTE_TASK_SLICE:
		return rt_task_slice(&task, lasting_ticks(call->value[0]));
	case REMOTE_TASK_SET_PERIODIC:
		return rt_task_set_periodic(&task, ticks_of(call->value[0]),
					    lasting_ticks(call->value[1]));
	case REMOTE_TASK_SET_AFFINITY:
		return set_affinity(call, &task);
	case REMOTE_TASK_SEND:
		return send_message(call, &task);
	default:
		return -EINVAL;
	}
}
