/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Polls: waits for one of several objects. Whoever changes an object wakes all that poll, and they
 * look again; as long as nobody polls, this is one load.
 */
#include <tactus/skin.h>

#include "rtai_mbx_internal.h"

_Atomic int rtai_pollers;
static _Atomic tact_sem_t changes;
static _Atomic uint64_t changed; /* how often */

void rtai_tell_pollers(void)
{
	atomic_fetch_add(&changed, 1);
	(void)tact_sem_broadcast(atomic_load(&changes));
}

/* 1: it is as wanted; 0: not yet; a code of RTAI: it is no such object. */
static int look_at(const struct rt_poll_s *wish)
{
	const bool at_sem =
		wish->forwhat == RT_POLL_SEM_WAIT_ALL || wish->forwhat == RT_POLL_SEM_WAIT_ONE;
	const bool at_mbx = wish->forwhat == RT_POLL_MBX_RECV || wish->forwhat == RT_POLL_MBX_SEND;
	struct runtime_record *record;
	struct tact_buffer_info info = {0};

	record = rtai_find(wish->what, at_sem ? RTAI_SEM : RTAI_MBX);
	if (!record || !(at_sem || at_mbx))
		return RTE_OBJINV;
	if (at_sem)
		return rtai_units(record) > 0;
	(void)tact_buffer_inquire(rtai_native_buffer(record), &info);
	return wish->forwhat == RT_POLL_MBX_RECV ? info.used > 0 : info.used < info.bytes;
}

static int count_ready(const struct rt_poll_s *wish, unsigned long count)
{
	int ready = 0;

	for (unsigned long i = 0; i < count; i++)
		ready += look_at(&wish[i]) != 0;
	return ready;
}

static void tell(struct rt_poll_s *wish, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++) {
		const int now = look_at(&wish[i]);

		if (now)
			wish[i].what = now == 1 ? NULL : (void *)(uintptr_t)now;
	}
}

/* 0: for ever, 1: no wait, above: an instant, below: a delay. */
static tact_timeout_t deadline(RTIME timeout)
{
	if (!timeout)
		return TACT_FOREVER;
	if (timeout == 1)
		return TACT_NOWAIT;
	return timeout > 0 ? rtai_until(timeout)
			   : tact_at(tact_time_add(tact_now(), rtai_in(-timeout).ns));
}

static int begin(void)
{
	tact_sem_t made = atomic_load(&changes);
	tact_sem_t none = {0};

	if (made.id || rtai_begin() ||
	    tact_sem_create(NULL, 0, 1, TACT_PRIO | TACT_SEM_PULSE, &made))
		return made.id ? 0 : -TACT_ENOMEM;
	if (!atomic_compare_exchange_strong(&changes, &none, made))
		(void)tact_sem_delete(made);
	return 0;
}

/* A change between the look and the wait ends the wait at once. */
int rtai_await_change(bool (*ready)(void *arg), void *arg, tact_timeout_t timeout)
{
	struct runtime_record *self;
	uint64_t seen;
	int error = begin();

	if (error)
		return error;
	if (timeout.kind == TACT_TIMEOUT_RELATIVE)
		timeout = tact_at(tact_time_add(tact_now(), timeout.ns));
	atomic_fetch_add(&rtai_pollers, 1);
	self = rtai_waits(RT_SCHED_POLL);
	do {
		seen = atomic_load(&changed);
		if (ready(arg))
			break;
		error = tact_sem_wait_while(atomic_load(&changes), timeout,
					    (const uint64_t *)&changed, seen);
	} while (!error || error == -TACT_ESTALE);
	rtai_waited(self);
	atomic_fetch_sub(&rtai_pollers, 1);
	return error == -TACT_ESTALE ? 0 : error;
}

struct wishes {
	const struct rt_poll_s *wish;
	unsigned long count;
};

static bool any_is_ready(void *arg)
{
	const struct wishes *wishes = arg;

	return count_ready(wishes->wish, wishes->count) > 0;
}

int rt_poll(struct rt_poll_s *pdsa, unsigned long nr, RTIME timeout)
{
	const tact_timeout_t until = rtai_as_caller(deadline(timeout));
	struct wishes wishes = {pdsa, nr};
	int ready;
	int error = 0;

	if ((!pdsa && nr) || begin())
		return RTE_OBJINV;
	ready = count_ready(pdsa, nr);
	if (!ready && until.kind != TACT_TIMEOUT_NOWAIT)
		error = rtai_await_change(any_is_ready, &wishes, until);
	ready = count_ready(pdsa, nr);
	tell(pdsa, nr);
	return ready || !error ? ready : rtai_result(error);
}
