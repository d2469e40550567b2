/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores of the nucleus, local or remote: sem_native.h. */
#include "sem_native.h"
#include "sharing.h"

int sem_native_make(struct sem_native *native, int flags, unsigned int value)
{
	struct sem_native made = {.flags = flags, .magic = SEM_NATIVE_MAGIC};
	uint32_t native_flags = (flags & SEM_FIFO ? TACT_FIFO : TACT_PRIO) |
				(flags & SEM_PULSE ? TACT_SEM_PULSE : 0);
	int error = 0;

	if (!posix_start())
		return -TACT_EPERM;
	if (flags & SEM_PSHARED)
		error = cobalt_own(&made.owner);
	if (!error)
		error = tact_sem_create(NULL, value, TACT_SEM_VALUE_MAX, native_flags,
					&made.handle);
	if (!error)
		*native = made;
	return error;
}

/* The owner of the semaphore; NULL: this program. */
static int find(const struct sem_native *native, struct session_owner **owner)
{
	*owner = NULL;
	return native->flags & SEM_PSHARED ? cobalt_owner(&native->owner, owner) : 0;
}

static int destroy_local(tact_sem_t handle, uint64_t flags)
{
	struct tact_sem_info info = {0};

	if (flags & SEM_NOBUSYDEL && !tact_sem_inquire(handle, &info) && info.waiters)
		return -TACT_EBUSY;
	return tact_sem_delete(handle);
}

int sem_native_destroy(struct sem_native *native)
{
	uint64_t flags = (uint64_t)native->flags;
	struct session_owner *owner;
	int error = find(native, &owner);

	if (!error)
		error = owner ? cobalt_call_plain(owner, REMOTE_SEM_DESTROY, native->handle.id,
						  flags)
			      : destroy_local(native->handle, flags);
	if (!error)
		native->magic = 0;
	return error;
}

int sem_native_post(const struct sem_native *native)
{
	struct session_owner *owner;
	int error = find(native, &owner);

	if (error)
		return error;
	return owner ? cobalt_call_plain(owner, REMOTE_SEM_POST, native->handle.id, 0)
		     : tact_sem_post(native->handle);
}

static int wait_local(tact_sem_t handle, tact_timeout_t timeout)
{
	int error;

	posix_native_wait_begin();
	error = tact_sem_wait(handle, timeout);
	posix_native_wait_end(error);
	return error;
}

static int wait_remote(struct session_owner *owner, tact_sem_t handle, tact_timeout_t timeout)
{
	struct session_call call = {
		.service = REMOTE_SEM_WAIT, .object = handle.id, .timeout = timeout};

	return (int)cobalt_call(owner, &call);
}

int sem_native_wait(const struct sem_native *native, tact_timeout_t timeout)
{
	struct session_owner *owner;
	int error = find(native, &owner);

	if (error)
		return error;
	do
		error = owner ? wait_remote(owner, native->handle, timeout)
			      : wait_local(native->handle, timeout);
	while (error == -TACT_EINTR && posix_signals_restart());
	return error;
}

int sem_native_broadcast(const struct sem_native *native)
{
	struct session_owner *owner;
	int error = find(native, &owner);

	if (error)
		return error;
	return owner ? cobalt_call_plain(owner, REMOTE_SEM_BROADCAST, native->handle.id, 0)
		     : tact_sem_broadcast(native->handle);
}

static int inquire_local(tact_sem_t handle, struct cobalt_sem_info *info, pid_t *list, size_t bytes)
{
	struct tact_sem_info figures = {0};
	int error = tact_sem_inquire(handle, &figures);

	if (error)
		return cobalt_result(error);
	if (info)
		*info = (struct cobalt_sem_info){figures.value, 0, (int32_t)figures.waiters};
	return cobalt_waiters(tact_object(handle), list, bytes);
}

int sem_native_inquire(const struct sem_native *native, struct cobalt_sem_info *info, pid_t *list,
		       size_t bytes)
{
	struct session_owner *owner;
	int result = find(native, &owner);

	if (result)
		return result;
	result = owner ? cobalt_call_inquire(owner, REMOTE_SEM_INQUIRE, native->handle.id, info,
					     sizeof(*info), list, bytes)
		       : inquire_local(native->handle, info, list, bytes);
	if (result >= 0 && info)
		info->flags = native->flags;
	return result;
}

int64_t cobalt_serve_sem(struct session_call *call)
{
	tact_sem_t handle = {(uint32_t)call->object};
	struct cobalt_inquiry inquiry;

	switch (call->service) {
	case REMOTE_SEM_POST:
		return tact_sem_post(handle);
	case REMOTE_SEM_WAIT:
		return tact_sem_wait(handle, call->timeout);
	case REMOTE_SEM_BROADCAST:
		return tact_sem_broadcast(handle);
	case REMOTE_SEM_INQUIRE:
		inquiry = cobalt_served_inquiry(call, sizeof(struct cobalt_sem_info));
		return inquire_local(handle, inquiry.info, inquiry.list, inquiry.list_bytes);
	case REMOTE_SEM_DESTROY:
		return destroy_local(handle, call->value[0]);
	default:
		return -EINVAL;
	}
}
