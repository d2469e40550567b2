/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The name that <alchemy/alarm.h> had in Xenomai 2. An alarm there has no handler; tasks wait for
 * it. rt_alarm_create(alarm, name) creates such an alarm. With a handler and its argument as
 * further arguments, rt_alarm_create() is that of <alchemy/alarm.h>.
 *
 * Source: Xenomai 2 API manual, "Alarm services".
 */
#ifndef TRANK_NATIVE_ALARM_H
#define TRANK_NATIVE_ALARM_H

#include <alchemy/alarm.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Returns as rt_alarm_create(). Context: task, linux. Cost: as rt_alarm_create(). */
int rt_alarm_create_waited(RT_ALARM *alarm, const char *name);

/**
 * Wait for the next expiry of an alarm without a handler. An expiry wakes all tasks that wait; an
 * expiry for which no task waits is forgotten. The caller keeps its priority, which Xenomai 2
 * raised.
 * Returns 0, or
 *   -EINVAL  not such an alarm
 *   -EPERM   the caller may not wait
 *   -EIDRM   it was deleted meanwhile
 *   -EINTR   rt_task_unblock(), or a signal
 * Context: task. Cost: as rt_sem_p().
 */
int rt_alarm_wait(RT_ALARM *alarm);

typedef struct rt_alarm_info {
	RTIME expiration;       /* date of its next instant; TM_INFINITE: the alarm is stopped */
	unsigned long expiries; /* instants that have passed since its creation */
	char name[XNOBJECT_NAME_LEN];
	int active; /* 1: an instant is still to come */
} native_alarm_info;

/* Returns as rt_alarm_inquire(). Context: any. */
int rt_alarm_inquire_native(RT_ALARM *alarm, native_alarm_info *info);

#ifdef __cplusplus
}
#endif

#define TRANK_ALARM_CREATE(alarm, name, handler, arg, chosen, ...) chosen
#define rt_alarm_create(...) \
	TRANK_ALARM_CREATE(__VA_ARGS__, rt_alarm_create, 3, rt_alarm_create_waited, 1)(__VA_ARGS__)
#define RT_ALARM_INFO    native_alarm_info
#define rt_alarm_inquire rt_alarm_inquire_native

#endif
