/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores, mutexes, conditions and event flags, for other processes. */
#include <alchemy/cond.h>
#include <alchemy/event.h>
#include <alchemy/mutex.h>
#include <alchemy/sem.h>

#include "remote.h"

static int64_t serve_sem(struct session_call *call)
{
	RT_SEM sem = {.handle = (uintptr_t)call->object};
	struct timespec until;

	switch (call->service) {
	case REMOTE(ALCHEMY_SEM, REMOTE_CHECK):
		return 0;
	case REMOTE(ALCHEMY_SEM, REMOTE_DELETE):
		return rt_sem_delete(&sem);
	case REMOTE(ALCHEMY_SEM, REMOTE_INQUIRE):
		return rt_sem_inquire(&sem, alchemy_served_buffer(call, sizeof(RT_SEM_INFO)));
	case REMOTE_SEM_P:
		return rt_sem_p_timed(&sem, alchemy_served_until(call, &until));
	case REMOTE_SEM_V:
		return rt_sem_v(&sem);
	case REMOTE_SEM_BROADCAST:
		return rt_sem_broadcast(&sem);
	default:
		return -EINVAL;
	}
}

/* A caller that gets -EOWNERDEAD owns the mutex, too. */
static int held(int error, int change)
{
	if (!error || error == -EOWNERDEAD)
		session_holds(change);
	return error;
}

static int64_t serve_mutex(struct session_call *call)
{
	RT_MUTEX mutex = {.handle = (uintptr_t)call->object};
	struct timespec until;

	switch (call->service) {
	case REMOTE(ALCHEMY_MUTEX, REMOTE_CHECK):
		return 0;
	case REMOTE(ALCHEMY_MUTEX, REMOTE_DELETE):
		return rt_mutex_delete(&mutex);
	case REMOTE(ALCHEMY_MUTEX, REMOTE_INQUIRE):
		return rt_mutex_inquire(&mutex, alchemy_served_buffer(call, sizeof(RT_MUTEX_INFO)));
	case REMOTE_MUTEX_ACQUIRE:
		return held(rt_mutex_acquire_timed(&mutex, alchemy_served_until(call, &until)), 1);
	case REMOTE_MUTEX_RELEASE:
		return held(rt_mutex_release(&mutex), -1);
	default:
		return -EINVAL;
	}
}

static int64_t serve_cond(struct session_call *call)
{
	RT_COND cond = {.handle = (uintptr_t)call->object};
	RT_MUTEX mutex = {.handle = (uintptr_t)call->value[0]};
	struct timespec until;

	switch (call->service) {
	case REMOTE(ALCHEMY_COND, REMOTE_CHECK):
		return 0;
	case REMOTE(ALCHEMY_COND, REMOTE_DELETE):
		return rt_cond_delete(&cond);
	case REMOTE(ALCHEMY_COND, REMOTE_INQUIRE):
		return rt_cond_inquire(&cond, alchemy_served_buffer(call, sizeof(RT_COND_INFO)));
	case REMOTE_COND_SIGNAL:
		return rt_cond_signal(&cond);
	case REMOTE_COND_BROADCAST:
		return rt_cond_broadcast(&cond);
	case REMOTE_COND_WAIT:
		return rt_cond_wait_timed(&cond, &mutex, alchemy_served_until(call, &until));
	default:
		return -EINVAL;
	}
}

static int64_t serve_event(struct session_call *call)
{
	RT_EVENT event = {.handle = (uintptr_t)call->object};
	unsigned int mask = (unsigned int)call->value[0];
	unsigned int bits = 0;
	struct timespec until;
	int error;

	switch (call->service) {
	case REMOTE(ALCHEMY_EVENT, REMOTE_CHECK):
		return 0;
	case REMOTE(ALCHEMY_EVENT, REMOTE_DELETE):
		return rt_event_delete(&event);
	case REMOTE(ALCHEMY_EVENT, REMOTE_INQUIRE):
		return rt_event_inquire(&event, alchemy_served_buffer(call, sizeof(RT_EVENT_INFO)));
	case REMOTE_EVENT_SIGNAL:
		return rt_event_signal(&event, mask);
	case REMOTE_EVENT_WAIT:
		error = rt_event_wait_timed(&event, mask, &bits, (int)call->value[1],
					    alchemy_served_until(call, &until));
		break;
	case REMOTE_EVENT_CLEAR:
		error = rt_event_clear(&event, mask, &bits);
		break;
	default:
		return -EINVAL;
	}
	call->value[0] = bits;
	return error;
}

int64_t alchemy_serve_sync(struct session_call *call)
{
	switch (call->service >> 8) {
	case ALCHEMY_SEM:
		return serve_sem(call);
	case ALCHEMY_MUTEX:
		return serve_mutex(call);
	case ALCHEMY_COND:
		return serve_cond(call);
	default:
		return serve_event(call);
	}
}
