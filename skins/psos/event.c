/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Events: a group of event flags for each task. A task that waits for all of several events takes
 * each when it comes, as pSOS+ does, so that a second one of the same kind stays pending.
 */
#include "psos_task.h"

#include "psos_errors.h"

#define EVENTS 0xffffffffu

static unsigned long take_pending(tact_event_t group, unsigned long events)
{
	uint64_t before = 0;

	(void)tact_event_clear(group, events, &before);
	return (unsigned long)before & events;
}

static bool is_met(unsigned long taken, unsigned long events, unsigned long flags)
{
	return flags & EV_ANY ? taken != 0 : taken == events;
}

/* Returns 0 when the condition is met, or an error of the nucleus. */
static int wait_for(tact_event_t group, unsigned long events, unsigned long flags,
		    tact_timeout_t timeout, unsigned long *taken)
{
	int result = 0;

	while (!result && !is_met(*taken, events, flags)) {
		uint64_t received = 0;

		do
			result = tact_event_wait(group, events & ~*taken,
						 TACT_EVENT_ANY | TACT_EVENT_CONSUME, timeout,
						 &received);
		while (psos_was_broken(result));
		if (!result)
			*taken |= (unsigned long)received & events;
	}
	return result;
}

unsigned long ev_receive(unsigned long events, unsigned long flags, unsigned long timeout,
			 unsigned long *events_r)
{
	struct runtime_record *record = psos_task_current();
	const struct psos_wait wait = psos_wait(flags, timeout);
	struct tact_event_info info = {0};
	tact_event_t group;
	unsigned long taken;
	int result = 0;

	if (!record || runtime_in_handler() || flags & ~(unsigned long)(EV_NOWAIT | EV_ANY))
		return ERR_SSFN;
	group = psos_task_of(record)->events;
	events &= EVENTS;
	if (!events) {
		(void)tact_event_inquire(group, &info);
		psos_give(events_r, (unsigned long)info.bits);
		return 0;
	}
	taken = take_pending(group, events);
	if (!is_met(taken, events, flags))
		result = flags & EV_NOWAIT ? -TACT_EAGAIN
					   : wait_for(group, events, flags, wait.timeout, &taken);
	/* What came before a timeout stays pending. */
	if (result && !(flags & EV_NOWAIT) && taken)
		(void)tact_event_set(group, taken);
	psos_give(events_r, taken);
	return psos_result(psos_ev_receive_errors, result);
}

unsigned long ev_send(unsigned long tid, unsigned long events)
{
	struct runtime_record *record = psos_task_find(tid);

	if (!record)
		return psos_id_error(tid);
	return psos_result(psos_task_errors,
			   tact_event_set(psos_task_of(record)->events, events & EVENTS));
}

unsigned long ev_asend(unsigned long tid, unsigned long events)
{
	(void)tid;
	(void)events;
	return ERR_SSFN;
}
