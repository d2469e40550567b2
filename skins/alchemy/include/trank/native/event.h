/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/event.h> had in Xenomai 2, where masks were long. A group has 32 bits:
 * -EINVAL for others. */
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

#define rt_event_create native_event_create
#define rt_event_signal native_event_signal
#define rt_event_wait   native_event_wait
#define rt_event_clear  native_event_clear

#endif
