/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Names in the session, and calls of other processes. The session is joined by the first service
 * that needs a name. */
#define _GNU_SOURCE /* program_invocation_short_name */
#include "alchemy_task.h"
#include "remote.h"

#include "runtime/deferred_free.h"

#include <stdio.h>
#include <unistd.h>

/* A program that names no session continues alone if the session cannot be joined. */
static int join(void)
{
	static const struct session_skin skin = {
		.id = SESSION_ALCHEMY, .serve = alchemy_serve, .left = alchemy_left};
	static _Atomic bool refused;
	char reason[SESSION_REASON_BYTES];
	const char *label = alchemy_session_label();
	int error;

	if (session_joined(SESSION_ALCHEMY))
		return 0;
	if (atomic_load(&refused))
		return label ? -EPERM : 0;
	error = session_join(label, &skin, reason);
	/* In virtual time a program is alone, even if it names a session. */
	if (!error || error == -ENOTSUP)
		return 0;
	atomic_store(&refused, true);
	if (!label)
		return 0;
	fprintf(stderr, "%s: session '%s': %s\n", program_invocation_short_name, label, reason);
	return -EPERM;
}

/* Another process has the name: does it have the object? The answer may have memory. */
static bool is_there(const struct runtime_record *object)
{
	struct session_call check = {.skin = SESSION_ALCHEMY,
				     .service = REMOTE(object->type, REMOTE_CHECK),
				     .timeout = TACT_NOWAIT};
	struct session_owner *owner;
	int error =
		session_find(alchemy_type_name(object->type), object->name, &owner, &check.object);

	if (error || !owner)
		return error != -ENOENT;
	error = (int)session_call(owner, &check);
	if (check.file)
		close(check.file);
	return error != -EINVAL && error != -EIDRM;
}

static int announce(const struct runtime_record *object)
{
	return session_announce(alchemy_type_name(object->type), object->name, runtime_id(object));
}

void alchemy_withdraw(struct runtime_record *object)
{
	session_withdraw(alchemy_type_name(object->type), object->name);
}

int alchemy_announce(struct runtime_record *object, const char *name)
{
	int error;

	if (!name || !*name || object->type == ALCHEMY_ALARM)
		return 0;
	error = join();
	if (error || !session_joined(SESSION_ALCHEMY))
		return error;
	runtime_deferred_free_begin();
	runtime_free_deferred();
	error = announce(object);
	/* The name may be of a task of this program that has ended without freeing its record. */
	if (error == -EEXIST && object->type == ALCHEMY_TASK) {
		runtime_task_sweep_all(&alchemy_records);
		error = announce(object);
	}
	/* A process that is asked for a deleted object withdraws the name before it answers. */
	if (error == -EEXIST && alchemy_session_label() && !is_there(object))
		error = announce(object);
	if (!error)
		object->give_back = alchemy_withdraw;
	/* Programs that have not named a session do not depend on one. */
	if (!alchemy_session_label())
		return 0;
	return error && error != -EEXIST ? -ENOMEM : error;
}

int alchemy_remote_bind(enum alchemy_type type, const char *name, uintptr_t *descriptor)
{
	char cut[XNOBJECT_NAME_LEN];
	struct session_owner *owner;
	uint64_t object;
	int error;

	if (join() || !session_joined(SESSION_ALCHEMY))
		return -TACT_EAGAIN;
	snprintf(cut, sizeof(cut), "%s", name);
	error = session_find(alchemy_type_name(type), cut, &owner, &object);
	if (error == -ENOMEM)
		return -TACT_ENOMEM;
	if (error)
		return error == -ENOENT ? -TACT_EAGAIN : -TACT_EBUSY;
	/* Names of this process are found in the registry, and reported when their objects
	 * exist. */
	if (!owner)
		return -TACT_EAGAIN;
	return alchemy_proxy_make(type, cut, owner, object, descriptor);
}

int64_t alchemy_remote(const void *descriptor, enum alchemy_service service,
		       struct session_call *call)
{
	struct alchemy_proxy proxy;
	bool may_wait;
	int64_t result;

	if (!alchemy_proxy_read(descriptor, (enum alchemy_type)(service >> 8), &proxy))
		return -EINVAL;
	call->skin = SESSION_ALCHEMY;
	call->service = service;
	call->object = proxy.object;
	call->timeout = runtime_wait_as(call->timeout, &may_wait);
	result = session_call(proxy.owner, call);
	return result == -EWOULDBLOCK && !may_wait ? -EPERM : result;
}

int alchemy_remote_plain(const void *descriptor, enum alchemy_service service)
{
	return alchemy_remote_wait(descriptor, service, TACT_NOWAIT);
}

int alchemy_remote_delete(const void *descriptor, enum alchemy_type type)
{
	int error = alchemy_remote_plain(descriptor, REMOTE(type, REMOTE_DELETE));

	/* A program does not unbind what it has deleted. */
	if (!error)
		(void)alchemy_remote_unbind(descriptor);
	return error;
}

int alchemy_remote_wait(const void *descriptor, enum alchemy_service service,
			tact_timeout_t timeout)
{
	struct session_call call = {.timeout = timeout};

	return (int)alchemy_remote(descriptor, service, &call);
}

int alchemy_remote_query(const void *descriptor, enum alchemy_type type, void *info, size_t bytes)
{
	struct session_call call = {
		.timeout = TACT_NOWAIT, .room = info, .room_bytes = info ? bytes : 0};

	return (int)alchemy_remote(descriptor, REMOTE(type, REMOTE_INQUIRE), &call);
}

int alchemy_remote_number(const void *descriptor, enum alchemy_service service, uint64_t number)
{
	struct session_call call = {.timeout = TACT_NOWAIT, .value = {number}};

	return (int)alchemy_remote(descriptor, service, &call);
}

ssize_t alchemy_remote_write(const void *descriptor, enum alchemy_service service, const void *data,
			     size_t bytes, int mode, tact_timeout_t timeout)
{
	struct session_call call = {
		.timeout = timeout, .value = {(uint64_t)mode}, .data = data, .bytes = bytes};

	if (!data && bytes)
		return -EINVAL;
	return (ssize_t)alchemy_remote(descriptor, service, &call);
}

ssize_t alchemy_remote_read(const void *descriptor, enum alchemy_service service, void *room,
			    size_t bytes, tact_timeout_t timeout)
{
	struct session_call call = {.timeout = timeout, .room = room, .room_bytes = bytes};

	if (!room && bytes)
		return -EINVAL;
	return (ssize_t)alchemy_remote(descriptor, service, &call);
}

int alchemy_remote_instead(const void *descriptor, int error, enum alchemy_service service,
			   uint64_t first, uint64_t second)
{
	struct session_call call = {.timeout = TACT_NOWAIT, .value = {first, second}};

	return descriptor && error == -EINVAL ? (int)alchemy_remote(descriptor, service, &call)
					      : error;
}
