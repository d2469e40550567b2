/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups of event flags: those of the nucleus, of which Cobalt uses the lower 32. A service for a
 * shared group calls the owner.
 */
#include "sharing.h"

int cobalt_event_init(cobalt_event_t *event, unsigned int value, int flags)
{
	cobalt_event_t made = {.flags = (uint32_t)flags};
	tact_event_t native = {0};
	int error;

	if (!event || flags & ~(COBALT_EVENT_PRIO | COBALT_EVENT_SHARED))
		return -EINVAL;
	if (!posix_start())
		return -EPERM;
	error = flags & COBALT_EVENT_SHARED ? cobalt_own(&made.owner) : 0;
	if (!error)
		error = tact_event_create(
			NULL, value, flags & COBALT_EVENT_PRIO ? TACT_PRIO : TACT_FIFO, &native);
	made.handle = native.id;
	if (!error)
		*event = made;
	return error;
}

static tact_event_t native_of(const cobalt_event_t *event)
{
	return (tact_event_t){event->handle};
}

/* The owner of the group; NULL: this program. */
static int find(const cobalt_event_t *event, struct session_owner **owner)
{
	*owner = NULL;
	if (!event)
		return -EINVAL;
	return event->flags & COBALT_EVENT_SHARED ? cobalt_owner(&event->owner, owner) : 0;
}

static int post_local(tact_event_t native, unsigned int bits)
{
	int released = tact_event_set(native, bits);

	return released < 0 ? cobalt_result(released) : 0;
}

int cobalt_event_post(cobalt_event_t *event, unsigned int bits)
{
	struct session_owner *owner;
	int error = find(event, &owner);

	if (error)
		return error;
	return owner ? cobalt_call_plain(owner, REMOTE_EVENT_POST, event->handle, bits)
		     : post_local(native_of(event), bits);
}

static int read_local(tact_event_t native, unsigned int *bits)
{
	struct tact_event_info info = {0};
	int error = tact_event_inquire(native, &info);

	*bits = error ? 0 : (unsigned int)info.bits;
	return cobalt_result(error);
}

static int wait_local(tact_event_t native, unsigned int bits, unsigned int *received, int mode,
		      tact_timeout_t until)
{
	uint64_t all = 0;
	int error;

	posix_native_wait_begin();
	error = tact_event_wait(native, bits,
				mode & COBALT_EVENT_ANY ? TACT_EVENT_ANY : TACT_EVENT_ALL, until,
				&all);
	posix_native_wait_end(error);
	*received = (unsigned int)all & bits;
	return cobalt_result(error);
}

static int wait_remote(struct session_owner *owner, const cobalt_event_t *event, unsigned int bits,
		       unsigned int *received, int mode, tact_timeout_t until)
{
	struct session_call call = {
		.service = bits ? REMOTE_EVENT_WAIT : REMOTE_EVENT_READ,
		.object = event->handle,
		.timeout = bits ? until : TACT_NOWAIT,
		.value = {bits, (uint64_t)mode},
	};
	int error = (int)cobalt_call(owner, &call);

	*received = (unsigned int)call.value[0];
	return error;
}

int cobalt_event_wait(cobalt_event_t *event, unsigned int bits, unsigned int *bits_r, int mode,
		      const struct timespec *timeout)
{
	tact_timeout_t until = TACT_FOREVER;
	struct session_owner *owner;
	unsigned int received = 0;
	struct timespec date;
	int error;

	if (timeout && !posix_safe_copy(&date, timeout, sizeof(date)))
		return -EFAULT;
	if (mode & ~COBALT_EVENT_ANY || (timeout && !posix_time_is_valid(&date)))
		return -EINVAL;
	error = find(event, &owner);
	if (error)
		return error;
	if (timeout)
		until = date.tv_sec || date.tv_nsec ? posix_instant(CLOCK_MONOTONIC, &date)
						    : TACT_NOWAIT;
	if (owner)
		error = wait_remote(owner, event, bits, &received, mode, until);
	else if (bits)
		error = wait_local(native_of(event), bits, &received, mode, until);
	else
		error = read_local(native_of(event), &received);
	if (!error && bits_r)
		*bits_r = received;
	return error;
}

unsigned long cobalt_event_clear(cobalt_event_t *event, unsigned int bits)
{
	struct session_call call = {
		.service = REMOTE_EVENT_CLEAR, .timeout = TACT_NOWAIT, .value = {bits}};
	struct session_owner *owner;
	uint64_t before = 0;

	if (find(event, &owner))
		return 0;
	call.object = event->handle;
	if (!owner)
		(void)tact_event_clear(native_of(event), bits, &before);
	else if (!cobalt_call(owner, &call))
		before = call.value[0];
	return before;
}

static int inquire_local(tact_event_t native, struct cobalt_event_info *info, pid_t *list,
			 size_t bytes)
{
	struct tact_event_info figures = {0};
	int error = tact_event_inquire(native, &figures);

	if (error)
		return cobalt_result(error);
	if (info) {
		info->value = (uint32_t)figures.bits;
		info->nrwait = (int32_t)figures.waiters;
	}
	return cobalt_waiters(tact_object(native), list, bytes);
}

int cobalt_event_inquire(cobalt_event_t *event, struct cobalt_event_info *info, pid_t *waitlist,
			 size_t waitsz)
{
	struct session_owner *owner;
	int result = find(event, &owner);

	if (result)
		return result;
	result = owner ? cobalt_call_inquire(owner, REMOTE_EVENT_INQUIRE, event->handle, info,
					     sizeof(*info), waitlist, waitsz)
		       : inquire_local(native_of(event), info, waitlist, waitsz);
	if (result >= 0 && info)
		info->flags = (int32_t)event->flags;
	return result;
}

int cobalt_event_destroy(cobalt_event_t *event)
{
	struct session_owner *owner;
	int error = find(event, &owner);

	if (error)
		return error;
	return owner ? cobalt_call_plain(owner, REMOTE_EVENT_DESTROY, event->handle, 0)
		     : cobalt_result(tact_event_delete(native_of(event)));
}

int64_t cobalt_serve_event(struct session_call *call)
{
	tact_event_t native = {(uint32_t)call->object};
	unsigned int bits = (unsigned int)call->value[0];
	struct cobalt_inquiry inquiry;
	unsigned int received = 0;
	int error;

	switch (call->service) {
	case REMOTE_EVENT_POST:
		return post_local(native, bits);
	case REMOTE_EVENT_WAIT:
		error = wait_local(native, bits, &received, (int)call->value[1], call->timeout);
		break;
	case REMOTE_EVENT_READ:
		error = read_local(native, &received);
		break;
	case REMOTE_EVENT_CLEAR:
		return cobalt_result(tact_event_clear(native, bits, &call->value[0]));
	case REMOTE_EVENT_INQUIRE:
		inquiry = cobalt_served_inquiry(call, sizeof(struct cobalt_event_info));
		return inquire_local(native, inquiry.info, inquiry.list, inquiry.list_bytes);
	case REMOTE_EVENT_DESTROY:
		return cobalt_result(tact_event_delete(native));
	default:
		return -EINVAL;
	}
	call->value[0] = received;
	return error;
}
