/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names: the name of an object, its name in the nucleus's registry, and binding by name. The
 * registry ensures that a name is unique in the program, and the session that it is unique there. A
 * task that waits for a name looks again whenever a record is published or the names of the session
 * change.
 */
#include "remote.h"

/* The registry knows an object shortly before its record is published. */
static int find_now(enum alchemy_type type, const char *name, uintptr_t *descriptor)
{
	char key[TACT_NAME_BYTES];
	const struct runtime_record *object;
	tact_object_t native;
	uintptr_t handle;
	const char *prefix = type == ALCHEMY_TASK ? NULL : alchemy_type_name(type);
	int error = tact_find(runtime_key(prefix, name, key), TACT_NOWAIT, &native);

	if (error)
		return error == -TACT_EAGAIN ? alchemy_remote_bind(type, name, descriptor) : error;
	object = runtime_find_native(&alchemy_records, native, type);
	handle = object ? atomic_load_explicit(&object->id, memory_order_acquire) : 0;
	if (!handle)
		return -TACT_EAGAIN;
	*descriptor = handle;
	return 0;
}

/* For an object whose appearance will not be reported. */
static int wait_little(tact_timeout_t timeout)
{
	int error = runtime_nap();

	if (!error && timeout.kind == TACT_TIMEOUT_ABSOLUTE && tact_now().ns >= timeout.ns)
		error = -TACT_ETIMEDOUT;
	return error;
}

static int find_watching(enum alchemy_type type, const char *name, tact_timeout_t timeout,
			 uintptr_t *descriptor)
{
	struct session_watch watch;
	int error = session_watch(&watch);

	if (error)
		return error;
	do {
		error = find_now(type, name, descriptor);
		if (error == -TACT_EAGAIN)
			error = session_await(&watch, timeout);
		else if (error == -TACT_EBUSY)
			error = wait_little(timeout);
		else
			break;
	} while (!error);
	session_unwatch(&watch);
	return error;
}

static int find(enum alchemy_type type, const char *name, tact_timeout_t timeout,
		uintptr_t *descriptor)
{
	int error = find_now(type, name, descriptor);

	if (error != -TACT_EAGAIN && error != -TACT_EBUSY)
		return error;
	return timeout.kind == TACT_TIMEOUT_NOWAIT ? -TACT_EAGAIN
						   : find_watching(type, name, timeout, descriptor);
}

int alchemy_bind(enum alchemy_type type, void *descriptor, const char *name, RTIME timeout)
{
	tact_timeout_t until = alchemy_relative(timeout);
	bool may_wait;
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(descriptor) || !name || !*name)
		return -EINVAL;
	if (until.kind == TACT_TIMEOUT_RELATIVE)
		until = tact_at(tact_time_add(tact_now(), until.ns));
	until = runtime_wait_as(until, &may_wait);
	return alchemy_waited(find(type, name, until, descriptor), may_wait);
}

int alchemy_unbind(void *descriptor)
{
	int error = alchemy_bad_pointer(descriptor) ? -EINVAL : alchemy_remote_unbind(descriptor);

	if (!error)
		*(uintptr_t *)descriptor = 0;
	return error;
}
