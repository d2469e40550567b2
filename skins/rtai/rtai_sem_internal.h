/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What semaphores, conditions and polls share. */
#ifndef RTAI_SEM_INTERNAL_H
#define RTAI_SEM_INTERNAL_H

#include "rtai_task.h"

#include <rtai_sem.h>

struct rtai_sem {
	int kind;         /* CNT_SEM, BIN_SEM, RES_SEM */
	int resource;     /* of RES_SEM: RESEM_RECURS … */
	uint32_t barrier; /* callers that open it: the first count */
	bool is_barrier;
	/* Of RES_SEM; only the owner writes them. */
	const void *owner; /* the pointer of the task */
	int depth;
};

static inline struct rtai_sem *rtai_sem_of(const struct runtime_record *record)
{
	return runtime_extra((struct runtime_record *)(uintptr_t)record);
}

static inline bool rtai_sem_is_resource(const struct runtime_record *record)
{
	return rtai_sem_of(record)->kind == RES_SEM;
}

/* The units that are there. */
int rtai_units(const struct runtime_record *record);
/* The number of waiters as RTAI tells it: 0 or less. */
int rtai_waiters(const struct runtime_record *record);

/* Callers of rt_poll() look again, because an object has changed (poll.c). Context: any. */
void rtai_tell_pollers(void);
extern _Atomic int rtai_pollers;

static inline void rtai_changed(void)
{
	if (__builtin_expect(atomic_load_explicit(&rtai_pollers, memory_order_acquire), 0))
		rtai_tell_pollers();
}

/* Wait until it is ready; it is asked again whenever an object changes. 0, or an error of the
 * nucleus. */
int rtai_await_change(bool (*ready)(void *arg), void *arg, tact_timeout_t timeout);

#endif
