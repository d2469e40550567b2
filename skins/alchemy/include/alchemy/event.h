/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags: a group of 32 bits, which callers set, clear and wait for. A wait clears nothing:
 * bits stay set until rt_event_clear().
 *
 * alchemy/sem.h describes descriptors and waiting, alchemy/timer.h timeouts.
 * Source: Xenomai 3 API manual, Alchemy, "Event flag group services".
 */
#ifndef ALCHEMY_EVENT_H
#define ALCHEMY_EVENT_H

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Modes of rt_event_create() */
#define EV_FIFO 0x0 /* waiters are served in order of arrival */
#define EV_PRIO 0x1 /* waiters are served by priority, then in order of arrival */

/* Modes of rt_event_wait() */
#define EV_ALL 0x0 /* until all of the bits are set */
#define EV_ANY 0x1 /* until one of the bits is set */

typedef struct RT_EVENT {
	uintptr_t handle;
} RT_EVENT;

typedef struct RT_EVENT_INFO {
	unsigned int value; /* bits that are set */
	int nwaiters;       /* tasks that wait */
	char name[XNOBJECT_NAME_LEN];
} RT_EVENT_INFO;

/**
 * Create a group.
 * ivalue: bits that are set at first.
 * mode:   EV_FIFO or EV_PRIO.
 * Returns 0, -EINVAL (unknown mode, or event is NULL), -EEXIST, -ENOMEM, -EPERM as rt_sem_create().
 * Context: task, linux.
 */
int rt_event_create(RT_EVENT *event, const char *name, unsigned int ivalue, int mode);

/**
 * Delete. Waiters get -EIDRM.
 * Returns 0, -EINVAL (not a group), -EPERM (from an alarm handler). Context: task, linux.
 */
int rt_event_delete(RT_EVENT *event);

/* Set bits. Every waiter whose bits are there then is released. Returns 0, -EINVAL (not a group).
 * Context: any. Cost: O(waiters). */
int rt_event_signal(RT_EVENT *event, unsigned int mask);

/**
 * Wait for bits.
 * mask:   the bits to wait for. 0: read the value of the group, without a wait.
 * mask_r: receives those of these bits that were set when the wait ended (for a mask of 0: the
 *         value); or NULL. Written only if 0 is returned.
 * mode:   EV_ALL or EV_ANY.
 *
 * Returns 0, or
 *   -EWOULDBLOCK  the bits are not there and the timeout is TM_NONBLOCK
 *   -ETIMEDOUT    they did not come in time
 *   -EIDRM        the group was deleted meanwhile
 *   -EINTR        rt_task_unblock(), or a Linux signal to the task
 *   -EINVAL       not a group, unknown mode, or a bad timespec
 *   -EPERM        it would have to wait, and the caller may not: see rt_sem_p()
 * Context: task, linux. May wait. Cost: O(1), O(waiters) with EV_PRIO.
 */
int rt_event_wait(RT_EVENT *event, unsigned int mask, unsigned int *mask_r, int mode,
		  RTIME timeout);
int rt_event_wait_until(RT_EVENT *event, unsigned int mask, unsigned int *mask_r, int mode,
			RTIME timeout);
int rt_event_wait_timed(RT_EVENT *event, unsigned int mask, unsigned int *mask_r, int mode,
			const struct timespec *abs_timeout);

/* Clear bits. mask_r: receives the value before, or NULL. Returns 0, -EINVAL (not a group).
 * Context: any. Cost: O(1). */
int rt_event_clear(RT_EVENT *event, unsigned int mask, unsigned int *mask_r);

/* Inquire, find by name, forget: as the services of alchemy/sem.h. */
int rt_event_inquire(RT_EVENT *event, RT_EVENT_INFO *info);
int rt_event_bind(RT_EVENT *event, const char *name, RTIME timeout);
int rt_event_unbind(RT_EVENT *event);

#ifdef __cplusplus
}
#endif

#endif
