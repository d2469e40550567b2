/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Alarms: a function that is called at an instant, once or periodically.
 *
 * Handlers run one after the other in a task of their own, which is more urgent than all other
 * tasks. So they may make Linux calls (each costs a mode switch). Services that would have to wait,
 * or that create or delete, are refused there with -EPERM. Instants that pass while handlers are
 * busy are counted, and the handler is called once for all of them.
 *
 * Source: Xenomai 3 API manual, Alchemy, "Alarm services".
 */
#ifndef ALCHEMY_ALARM_H
#define ALCHEMY_ALARM_H

#include <alchemy/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RT_ALARM {
	uintptr_t handle;
} RT_ALARM;

typedef struct RT_ALARM_INFO {
	unsigned long expiries; /* instants that have passed since its creation */
	char name[XNOBJECT_NAME_LEN];
	int active; /* 1: an instant is still to come */
} RT_ALARM_INFO;

/**
 * Create an alarm. It does nothing until it is started.
 * handler: called with arg.
 * Returns 0, -EINVAL (handler or alarm is NULL), -EEXIST, -ENOMEM, -EPERM as rt_sem_create().
 * Context: task, linux.
 */
int rt_alarm_create(RT_ALARM *alarm, const char *name, void (*handler)(void *arg), void *arg);

/**
 * Delete. When the call returns, the handler does not run and will not run again; the call waits
 * for a handler that runs meanwhile.
 * Returns 0, -EINVAL (not an alarm), -EPERM (from an alarm handler). Context: task, linux.
 */
int rt_alarm_delete(RT_ALARM *alarm);

/**
 * Start, or start again with other times.
 * value:    first instant, in ticks from now.
 * interval: ticks between instants, at least 1 µs; TM_INFINITE: once.
 * Returns 0, -EINVAL (not an alarm, or interval too short). Context: any. Cost: O(log timers).
 */
int rt_alarm_start(RT_ALARM *alarm, RTIME value, RTIME interval);

/* Stop: no further call of the handler begins. Returns 0, -EINVAL (not an alarm). Context: any.
 * Cost: O(log timers). */
int rt_alarm_stop(RT_ALARM *alarm);

/* Inquire. info: receives the state, or NULL. Returns 0, -EINVAL (not an alarm). Context: any. */
int rt_alarm_inquire(RT_ALARM *alarm, RT_ALARM_INFO *info);

#ifdef __cplusplus
}
#endif

#endif
