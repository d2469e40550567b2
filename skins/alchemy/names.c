/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names: what an object is called, what the nucleus's registry calls it, and binding by name. That
 * a name is unique in the program is the registry's to see to, and in a session the session's; who
 * waits for one waits at the registry, or in a session for any change of names.
 */
#include "between.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NAP_NS   100000u
#define NAPS_MAX 10000u /* a second */

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

/* Without the control characters, which the nucleus takes in no name; was there one? */
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
	/* As cut as the names of objects are. */
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

void alchemy_nap(void)
{
	if (tact_task_self())
		(void)tact_task_sleep(NAP_NS);
	else
		usleep(NAP_NS / 1000);
}

static int find_here(enum alchemy_type type, const char *name, tact_timeout_t timeout,
		     uintptr_t *handle)
{
	char key[TACT_NAME_BYTES];
	tact_handle_t native;

	/*
	 * The registry knows an object shortly before its record is published. A name that stays
	 * without a record is that of something which the skin did not make.
	 */
	for (uint32_t naps = 0; naps < NAPS_MAX; naps++) {
		const struct alchemy_object *object;
		int error = tact_find(alchemy_key(type, name, key), timeout, &native);

		if (error)
			return error;
		object = alchemy_find_native(native, type);
		*handle = object ? atomic_load_explicit(&object->handle, memory_order_acquire) : 0;
		if (*handle)
			return 0;
		alchemy_nap();
	}
	return -TACT_EBADF;
}

static int find_now(enum alchemy_type type, const char *name, uintptr_t *handle)
{
	int error = find_here(type, name, TACT_NOWAIT, handle);

	return error == -TACT_EAGAIN ? alchemy_bind_away(type, name, handle) : error;
}

/* For what will be there without another change of names. */
static int wait_little(tact_timeout_t timeout)
{
	alchemy_nap();
	return timeout.kind == TACT_TIMEOUT_ABSOLUTE && tact_now().ns >= timeout.ns
		       ? -TACT_ETIMEDOUT
		       : 0;
}

/* What comes to this process comes to the session, too. */
static int find_watching(enum alchemy_type type, const char *name, tact_timeout_t timeout,
			 uintptr_t *handle)
{
	tact_sem_t changed;
	int error = tact_sem_create(NULL, 0, TACT_SEM_VALUE_MAX, TACT_FIFO, &changed);

	if (error)
		return error;
	error = session_watch(changed);
	if (error)
		goto delete_sem;
	do {
		error = find_now(type, name, handle);
		if (error == -TACT_EAGAIN)
			error = tact_sem_wait(changed, timeout);
		else if (error == -TACT_EBUSY)
			error = wait_little(timeout);
		else
			break;
	} while (!error);
	session_unwatch(changed);
delete_sem:
	(void)tact_sem_delete(changed);
	return error;
}

static int find(enum alchemy_type type, const char *name, tact_timeout_t timeout, uintptr_t *handle)
{
	int error = find_now(type, name, handle);

	if (error != -TACT_EAGAIN && error != -TACT_EBUSY)
		return error;
	if (timeout.kind == TACT_TIMEOUT_NOWAIT)
		return -TACT_EAGAIN;
	return session_joined() ? find_watching(type, name, timeout, handle)
				: find_here(type, name, timeout, handle);
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
	if (alchemy_bad_pointer(descriptor))
		return -EINVAL;
	(void)alchemy_unbind_away(descriptor);
	*(uintptr_t *)descriptor = 0;
	return 0;
}
