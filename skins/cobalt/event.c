/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of event flags: the nucleus's, of which Cobalt has the lower 32. */
#include "cobalt_internal.h"

#include "posix/wait.h"

int cobalt_event_init(cobalt_event_t *event, unsigned int value, int flags)
{
	tact_event_t native;
	int error;

	if (!event || flags & ~(COBALT_EVENT_PRIO | COBALT_EVENT_SHARED))
		return -EINVAL;
	if (flags & COBALT_EVENT_SHARED)
		return -ENOSYS;
	if (!posix_start())
		return -EPERM;
	error = tact_event_create(NULL, value, flags & COBALT_EVENT_PRIO ? TACT_PRIO : TACT_FIFO,
				  &native);
	if (error)
		return error;
	event->handle = native;
	event->flags = (uint32_t)flags;
	return 0;
}

int cobalt_event_post(cobalt_event_t *event, unsigned int bits)
{
	int released = event ? tact_event_set(event->handle, bits) : -TACT_EBADF;

	return released < 0 ? cobalt_result(released) : 0;
}

static int wait_bits(const cobalt_event_t *event, unsigned int bits, uint64_t *received, int mode,
		     const struct timespec *timeout)
{
	tact_timeout_t until = TACT_FOREVER;
	struct tact_event_info info;
	int error;

	if (!event || mode & ~COBALT_EVENT_ANY || (timeout && !posix_time_is_valid(timeout)))
		return -EINVAL;
	if (!bits) {
		error = tact_event_inquire(event->handle, &info);
		*received = info.bits;
		return error;
	}
	if (timeout)
		until = timeout->tv_sec || timeout->tv_nsec
				? posix_instant(CLOCK_MONOTONIC, timeout)
				: TACT_NOWAIT;
	posix_native_wait_begin();
	error = tact_event_wait(event->handle, bits,
				mode & COBALT_EVENT_ANY ? TACT_EVENT_ANY : TACT_EVENT_ALL, until,
				received);
	posix_native_wait_end(error);
	*received &= bits;
	return error;
}

int cobalt_event_wait(cobalt_event_t *event, unsigned int bits, unsigned int *bits_r, int mode,
		      const struct timespec *timeout)
{
	uint64_t received = 0;
	int error = wait_bits(event, bits, &received, mode, timeout);

	if (!error && bits_r)
		*bits_r = (unsigned int)received;
	return cobalt_result(error);
}

unsigned long cobalt_event_clear(cobalt_event_t *event, unsigned int bits)
{
	uint64_t before = 0;

	if (event)
		(void)tact_event_clear(event->handle, bits, &before);
	return before;
}

int cobalt_event_inquire(cobalt_event_t *event, struct cobalt_event_info *info, pid_t *waitlist,
			 size_t waitsz)
{
	struct tact_event_info native;
	int error = event ? tact_event_inquire(event->handle, &native) : -TACT_EBADF;

	if (error)
		return cobalt_result(error);
	if (info) {
		info->value = (uint32_t)native.bits;
		info->flags = (int32_t)event->flags;
		info->nrwait = (int32_t)native.waiters;
	}
	return cobalt_waiters(event->handle, waitlist, waitsz);
}

int cobalt_event_destroy(cobalt_event_t *event)
{
	return event ? cobalt_result(tact_event_delete(event->handle)) : -EINVAL;
}
