/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events: event flags of each task, and what sends them when an object becomes free. */
#include <eventLib.h>

#include <intLib.h>

#include "vxworks_internal.h"

#define ALL_EVENTS 0xffffffffull
#define HOW        (EVENTS_WAIT_ANY | EVENTS_RETURN_ALL | EVENTS_KEEP_UNWANTED | EVENTS_FETCH)

static uint32_t pending(const struct vxworks_object *task)
{
	struct tact_event_info info = {0};

	(void)tact_event_inquire(vxworks_events(task), &info);
	return (uint32_t)info.bits;
}

static void store(uint32_t *place, uint32_t events)
{
	if (place)
		*place = events;
}

STATUS eventReceive(UINT32 events, UINT8 options, int timeout, UINT32 *pEventsReceived)
{
	const struct vxworks_object *self = vxworks_task_self();
	const uint32_t how =
		(options & EVENTS_WAIT_ANY ? TACT_EVENT_ANY : TACT_EVENT_ALL) |
		(options & EVENTS_KEEP_UNWANTED ? TACT_EVENT_CONSUME : TACT_EVENT_CLEAR_ALL);
	uint64_t received = 0;
	int error;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!self)
		return vxworks_fail(S_objLib_OBJ_NO_METHOD);
	if (options & ~HOW)
		return vxworks_fail(EINVAL);
	if (options & EVENTS_FETCH) {
		store(pEventsReceived, pending(self));
		return OK;
	}
	if (!events)
		return vxworks_fail(S_eventLib_ZERO_EVENTS);
	error = tact_event_wait(vxworks_events(self), events, how, vxworks_timeout(timeout),
				&received);
	if (error)
		received = pending(self);
	store(pEventsReceived, (uint32_t)received & (options & EVENTS_RETURN_ALL ? ~0u : events));
	if (error == -TACT_EAGAIN)
		return vxworks_fail(S_eventLib_NOT_ALL_EVENTS);
	return error == -TACT_ETIMEDOUT ? vxworks_fail(S_eventLib_TIMEOUT) : vxworks_status(error);
}

STATUS eventSend(int taskId, UINT32 events)
{
	const struct vxworks_object *task;

	if (!taskId && vxworks_in_handler())
		return vxworks_fail(S_eventLib_NULL_TASKID_AT_INT_LEVEL);
	task = vxworks_task_find(taskId);
	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (!events)
		return vxworks_fail(S_eventLib_ZERO_EVENTS);
	return vxworks_status(tact_event_set(vxworks_events(task), events));
}

STATUS eventClear(void)
{
	const struct vxworks_object *self = vxworks_task_self();

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!self)
		return vxworks_fail(S_objLib_OBJ_NO_METHOD);
	return vxworks_status(tact_event_clear(vxworks_events(self), ALL_EVENTS, NULL));
}

STATUS vxworks_register(struct vxworks_registration *registration, uint32_t events, uint8_t options,
			bool is_free)
{
	const int self = taskIdSelf();
	const int former = atomic_load(&registration->task);

	if (!self)
		return vxworks_fail(S_objLib_OBJ_NO_METHOD);
	if (!events)
		return vxworks_fail(S_eventLib_ZERO_EVENTS);
	if (former && former != self && taskIdVerify(former) == OK &&
	    !(registration->options & EVENTS_ALLOW_OVERWRITE))
		return vxworks_fail(S_eventLib_ALREADY_REGISTERED);
	atomic_store(&registration->task, 0);
	registration->events = events;
	registration->options = options;
	atomic_store_explicit(&registration->task, self, memory_order_release);
	if (options & EVENTS_SEND_IF_FREE && is_free)
		return vxworks_send_events(registration, true);
	return OK;
}

STATUS vxworks_deregister(struct vxworks_registration *registration)
{
	int self = taskIdSelf();

	if (!self || !atomic_compare_exchange_strong(&registration->task, &self, 0))
		return vxworks_fail(S_eventLib_TASK_NOT_REGISTERED);
	return OK;
}

STATUS vxworks_send_events(struct vxworks_registration *registration, bool notify)
{
	int task = atomic_load_explicit(&registration->task, memory_order_acquire);
	const bool was_sent = !task || eventSend(task, registration->events) == OK;

	/* A task that has ended is registered no more. */
	if (!was_sent || registration->options & EVENTS_SEND_ONCE)
		(void)atomic_compare_exchange_strong(&registration->task, &task, 0);
	return was_sent || !notify ? OK : vxworks_fail(S_eventLib_EVENTSEND_FAILED);
}
