/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/event.h> had in Xenomai 2, where masks were long. A group has 32 bits: any
 * other bit gives -EINVAL; rt_event_clear() ignores it. */
#ifndef TRANK_NATIVE_EVENT_H
#define TRANK_NATIVE_EVENT_H

#include <alchemy/event.h>

static inline int native_event_create(RT_EVENT *event, const char *name, unsigned long ivalue,
				      int mode)
{
	return ivalue > 0xffffffff ? -EINVAL
				   : rt_event_create(event, name, (unsigned int)ivalue, mode);
}

static inline int native_event_signal(RT_EVENT *event, unsigned long mask)
{
	return mask > 0xffffffff ? -EINVAL : rt_event_signal(event, (unsigned int)mask);
}

static inline int native_event_wait(RT_EVENT *event, unsigned long mask, unsigned long *mask_r,
				    int mode, RTIME timeout)
{
	unsigned int bits = 0;
	int error = mask > 0xffffffff
			    ? -EINVAL
			    : rt_event_wait(event, (unsigned int)mask, &bits, mode, timeout);

	if (!error && mask_r)
		*mask_r = bits;
	return error;
}

static inline int native_event_clear(RT_EVENT *event, unsigned long mask, unsigned long *mask_r)
{
	unsigned int bits = 0;
	int error = rt_event_clear(event, (unsigned int)mask, &bits);

	if (!error && mask_r)
		*mask_r = bits;
	return error;
}

typedef struct rt_event_info {
	unsigned long value; /* bits that are set */
	int nwaiters;        /* tasks that wait */
	char name[XNOBJECT_NAME_LEN];
} native_event_info;

static inline int native_event_inquire(RT_EVENT *event, native_event_info *info)
{
	RT_EVENT_INFO now;
	int error = rt_event_inquire(event, info ? &now : NULL);

	if (error || !info)
		return error;
	info->value = now.value;
	info->nwaiters = now.nwaiters;
	memcpy(info->name, now.name, sizeof(info->name));
	return 0;
}

#define RT_EVENT_INFO    native_event_info
#define rt_event_inquire native_event_inquire
#define rt_event_create  native_event_create
#define rt_event_signal  native_event_signal
#define rt_event_wait    native_event_wait
#define rt_event_clear   native_event_clear

#endif
