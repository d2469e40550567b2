/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names: the name of an object, its name in the nucleus's registry, and binding by name. The
 * registry ensures that a name is unique in the program, and the session that it is unique there. A
 * task that waits for a name looks again whenever a record is published or the names of the session
 * change.
 */
#include "remote.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAP_NS 100000u

static const char *const type_name[ALCHEMY_TYPES] = {
	[ALCHEMY_TASK] = "task",   [ALCHEMY_SEM] = "sem",     [ALCHEMY_MUTEX] = "mutex",
	[ALCHEMY_COND] = "cond",   [ALCHEMY_EVENT] = "event", [ALCHEMY_ALARM] = "alarm",
	[ALCHEMY_QUEUE] = "queue", [ALCHEMY_HEAP] = "heap",   [ALCHEMY_BUFFER] = "buffer",
	[ALCHEMY_PIPE] = "pipe",
};

const char *alchemy_type_name(uint32_t type)
{
	return type_name[type % ALCHEMY_TYPES];
}

static _Atomic uint32_t serial[ALCHEMY_TYPES];

void alchemy_name(struct alchemy_object *object, const char *name)
{
	if (name && *name)
		snprintf(object->name, sizeof(object->name), "%s", name);
	else
		snprintf(object->name, sizeof(object->name), "%s@%u",
			 alchemy_type_name(object->type),
			 atomic_fetch_add_explicit(&serial[object->type], 1, memory_order_relaxed) +
				 1);
}

/* FNV-1a, 64 bit. */
static uint64_t hash_of(const char *name, size_t bytes)
{
	uint64_t hash = 0xcbf29ce484222325u;

	for (size_t i = 0; i < bytes; i++)
		hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
	return hash;
}

/* Replace control characters, which the nucleus accepts in no name. Returns whether there was
 * one. */
static bool make_plain(char *plain, const char *name, size_t bytes)
{
	bool changed = false;

	for (size_t i = 0; i < bytes; i++) {
		const unsigned char byte = (unsigned char)name[i];
		const bool control = byte < 0x20 || byte == 0x7f;

		plain[i] = control ? '?' : name[i];
		changed |= control;
	}
	plain[bytes] = '\0';
	return changed;
}

const char *alchemy_key(enum alchemy_type type, const char *name, char *key)
{
	char text[2 * TACT_NAME_BYTES];
	char plain[XNOBJECT_NAME_LEN];
	/* Cut as the names of objects are. */
	size_t bytes = strnlen(name, XNOBJECT_NAME_LEN - 1);
	bool changed = make_plain(plain, name, bytes);
	unsigned long long hash = hash_of(name, bytes);

	if (type == ALCHEMY_TASK && !changed)
		snprintf(text, sizeof(text), "%s", plain);
	else if (type == ALCHEMY_TASK)
		snprintf(text, sizeof(text), "%.13s~%016llx", plain, hash);
	else if (!changed && strlen(type_name[type]) + 1 + bytes < TACT_NAME_BYTES)
		snprintf(text, sizeof(text), "%s:%s", type_name[type], plain);
	else
		snprintf(text, sizeof(text), "%s:%.6s~%016llx", type_name[type], plain, hash);
	memcpy(key, text, TACT_NAME_BYTES);
	key[TACT_NAME_BYTES - 1] = '\0';
	return key;
}

int alchemy_nap(void)
{
	if (tact_task_self().id)
		return tact_task_sleep(NAP_NS);
	usleep(NAP_NS / 1000);
	return 0;
}

/* The registry knows an object shortly before its record is published. */
static int find_now(enum alchemy_type type, const char *name, uintptr_t *descriptor)
{
	char key[TACT_NAME_BYTES];
	const struct alchemy_object *object;
	tact_object_t native;
	uintptr_t handle;
	int error = tact_find(alchemy_key(type, name, key), TACT_NOWAIT, &native);

	if (error)
		return error == -TACT_EAGAIN ? alchemy_remote_bind(type, name, descriptor) : error;
	object = alchemy_find_native(native, type);
	handle = object ? atomic_load_explicit(&object->handle, memory_order_acquire) : 0;
	if (!handle)
		return -TACT_EAGAIN;
	*descriptor = handle;
	return 0;
}

/* For an object whose appearance will not be reported. */
static int wait_little(tact_timeout_t timeout)
{
	int error = alchemy_nap();

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
	until = alchemy_wait_as(until, &may_wait);
	return alchemy_waited(find(type, name, until, descriptor), may_wait);
}

int alchemy_unbind(void *descriptor)
{
	int error = alchemy_bad_pointer(descriptor) ? -EINVAL : alchemy_remote_unbind(descriptor);

	if (!error)
		*(uintptr_t *)descriptor = 0;
	return error;
}
