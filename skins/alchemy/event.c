/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Event flags: 32 of the 64 that those of the nucleus have. */
#include <alchemy/event.h>

#include <string.h>

#include "remote.h"

struct how {
	unsigned int bits;
	uint32_t flags;
};

static int make(struct runtime_record *object, const char *key, const void *how,
		tact_object_t *native)
{
	const struct how *event = how;
	tact_event_t made = {0};
	int error = tact_event_create(key, event->bits, event->flags, &made);

	(void)object;
	*native = tact_object(made);
	return error;
}

int rt_event_create(RT_EVENT *event, const char *name, unsigned int ivalue, int mode)
{
	struct how how = {ivalue, mode & EV_PRIO ? TACT_PRIO : TACT_FIFO};

	return alchemy_create(!(mode & ~EV_PRIO), ALCHEMY_EVENT, name, make, &how, event);
}

int rt_event_delete(RT_EVENT *event)
{
	return alchemy_delete(ALCHEMY_EVENT, event);
}

int rt_event_signal(RT_EVENT *event, unsigned int mask)
{
	const struct runtime_record *object = alchemy_find(event, ALCHEMY_EVENT);

	if (!object)
		return alchemy_remote_number(event, REMOTE_EVENT_SIGNAL, mask);
	return alchemy_done(tact_event_set(alchemy_event(object), mask));
}

static int bits_remote(const RT_EVENT *event, enum alchemy_service service, unsigned int mask,
		       unsigned int *mask_r, int mode, tact_timeout_t timeout)
{
	struct session_call call = {.timeout = timeout, .value = {mask, (uint64_t)mode}};
	int error = (int)alchemy_remote(event, service, &call);

	if (!error && mask_r)
		*mask_r = (unsigned int)call.value[0];
	return error;
}

static int wait_bits(const RT_EVENT *event, unsigned int mask, unsigned int *mask_r, int mode,
		     tact_timeout_t timeout)
{
	const struct runtime_record *object = alchemy_find(event, ALCHEMY_EVENT);
	const uint32_t how = mode & EV_ANY ? TACT_EVENT_ANY : TACT_EVENT_ALL;
	struct runtime_wait wait = {.may_wait = true};
	struct tact_event_info info = {0};
	uint64_t bits = 0;
	int error;

	if (mode & ~EV_ANY)
		return -EINVAL;
	if (!object)
		return bits_remote(event, REMOTE_EVENT_WAIT, mask, mask_r, mode, timeout);
	if (mask) {
		wait = runtime_wait(timeout);
		do
			error = tact_event_wait(alchemy_event(object), mask, how, wait.timeout,
						&bits);
		while (runtime_wait_again(&wait, error));
		bits &= mask;
	} else {
		error = tact_event_inquire(alchemy_event(object), &info);
		bits = info.bits;
	}
	if (!error && mask_r)
		*mask_r = (unsigned int)bits;
	return alchemy_waited(error, wait.may_wait);
}

ALCHEMY_TIMED(int, rt_event_wait, wait_bits, (event, mask, mask_r, mode), RT_EVENT *event,
	      unsigned int mask, unsigned int *mask_r, int mode)

int rt_event_clear(RT_EVENT *event, unsigned int mask, unsigned int *mask_r)
{
	const struct runtime_record *object = alchemy_find(event, ALCHEMY_EVENT);
	uint64_t before = 0;
	int error;

	if (!object)
		return bits_remote(event, REMOTE_EVENT_CLEAR, mask, mask_r, 0, TACT_NOWAIT);
	error = tact_event_clear(alchemy_event(object), mask, mask_r ? &before : NULL);
	if (!error && mask_r)
		*mask_r = (unsigned int)before;
	return alchemy_result(error);
}

int rt_event_inquire(RT_EVENT *event, RT_EVENT_INFO *info)
{
	const struct runtime_record *object = alchemy_find(event, ALCHEMY_EVENT);
	struct tact_event_info native = {0};
	int error;

	if (!object)
		return alchemy_remote_query(event, ALCHEMY_EVENT, info, sizeof(*info));
	error = tact_event_inquire(alchemy_event(object), &native);
	if (error || !info)
		return alchemy_result(error);
	info->value = (unsigned int)native.bits;
	info->nwaiters = (int)native.waiters;
	memcpy(info->name, object->name, sizeof(info->name));
	return 0;
}

ALCHEMY_BOUND(event, ALCHEMY_EVENT, RT_EVENT)
