/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Proxies. An object has one proxy, however often it is bound. The proxy counts its bindings by
 * descriptor. A program that binds a name again, because the owner was started again, does not
 * unbind it first. So when a descriptor is bound to the present object of a name, it loses all its
 * bindings of the former object of this name. If another descriptor is bound to the former object,
 * that proxy stays, with its memory, until the descriptor is unbound.
 */
#include "remote.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define PROXY(type) ((enum alchemy_type)((type) + ALCHEMY_TYPES))

_Static_assert(sizeof(struct alchemy_proxy) <= ALCHEMY_EXTRA_BYTES, "a proxy fits in a record");

struct alchemy_binding {
	const void *descriptor; /* its copies are not known */
	uint32_t count;
	struct alchemy_binding *next;
};

/* A lock of Linux, because a binding is not urgent. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct runtime_record *proxies;

/*
 * A task that is deleted while it is in Linux ends in its next service of the nucleus. So no task
 * owns the lock in primary mode, or calls such a service with it. False: the caller is a handler,
 * or a task that may not go to Linux.
 */
static bool begin(void)
{
	const enum tact_mode mode = tact_mode();

	if (mode == TACT_MODE_HANDLER || (mode == TACT_MODE_PRIMARY && tact_task_relax()))
		return false;
	pthread_mutex_lock(&lock);
	return true;
}

static struct alchemy_proxy *proxy_in(struct runtime_record *object)
{
	return runtime_extra(object);
}

static struct runtime_record *find(enum alchemy_type type, const struct session_owner *owner,
				   uint64_t handle)
{
	struct runtime_record *object = proxies;

	while (object && (object->type != (uint32_t)PROXY(type) ||
			  proxy_in(object)->owner != owner || proxy_in(object)->object != handle))
		object = proxy_in(object)->next;
	return object;
}

static struct alchemy_binding **find_binding(struct runtime_record *object, const void *descriptor)
{
	struct alchemy_binding **place = &proxy_in(object)->bindings;

	while (*place && (*place)->descriptor != descriptor)
		place = &(*place)->next;
	return place;
}

static bool enter(struct runtime_record *object, const void *descriptor)
{
	struct alchemy_binding **place = find_binding(object, descriptor);

	if (!*place)
		*place = calloc(1, sizeof(**place));
	if (!*place)
		return false;
	(*place)->descriptor = descriptor;
	(*place)->count++;
	return true;
}

/* True: it was the last binding, and the proxy cannot be found any more. */
static bool leave(struct runtime_record *object, struct alchemy_binding **place, uint32_t count)
{
	uintptr_t handle = runtime_id(object);
	struct runtime_record **at = &proxies;
	struct alchemy_binding *binding = *place;

	binding->count -= count;
	if (!binding->count) {
		*place = binding->next;
		free(binding);
	}
	if (proxy_in(object)->bindings)
		return false;
	while (*at != object)
		at = &proxy_in(*at)->next;
	*at = proxy_in(object)->next;
	(void)alchemy_take(&handle, (enum alchemy_type)object->type);
	return true;
}

/* An unknown descriptor is a copy, and counts as any of those that are bound. */
static bool leave_once(struct runtime_record *object, const void *descriptor)
{
	struct alchemy_binding **place = find_binding(object, descriptor);

	return leave(object, *place ? place : &proxy_in(object)->bindings, 1);
}

static void drop(struct runtime_record *object)
{
	if (proxy_in(object)->memory)
		session_memory_unmap(proxy_in(object)->memory);
	runtime_drop(object);
}

/* End the bindings of this descriptor to the former object of the name: in a session a name has one
 * object. Returns its proxy if that has no binding any more. */
static struct runtime_record *leave_former(enum alchemy_type type, const char *name,
					   const uintptr_t *descriptor,
					   const struct runtime_record *now)
{
	for (struct runtime_record *object = proxies; object; object = proxy_in(object)->next) {
		struct alchemy_binding **place = find_binding(object, descriptor);

		if (object != now && *place && object->type == (uint32_t)PROXY(type) &&
		    strcmp(object->name, name) == 0 && runtime_id(object) == *descriptor)
			return leave(object, place, (*place)->count) ? object : NULL;
	}
	return NULL;
}

static int take_memory(struct alchemy_proxy *proxy, const struct session_call *answer)
{
	/* The file is missing if no descriptor was left for it. */
	if (!answer->file)
		return answer->value[0] ? -TACT_ENOMEM : 0;
	proxy->memory =
		session_memory_map(proxy->owner, proxy->object, answer->file, answer->value[0]);
	if (!proxy->memory)
		return -TACT_ENOMEM;
	proxy->base = proxy->memory->base;
	proxy->bytes = proxy->memory->bytes;
	return 0;
}

static struct runtime_record *add(enum alchemy_type type, const char *name,
				  const struct alchemy_proxy *made, const void *descriptor)
{
	struct runtime_record *object = runtime_reserve(&alchemy_records, PROXY(type), name);

	if (!object)
		return NULL;
	*proxy_in(object) = *made;
	if (!enter(object, descriptor)) {
		runtime_drop(object);
		return NULL;
	}
	proxy_in(object)->next = proxies;
	proxies = object;
	/* This does not wake the tasks that wait for a name: no name has become known. */
	(void)runtime_show(object, TACT_NONE);
	return object;
}

/* Add a binding. 0, -TACT_ENOMEM, -TACT_EPERM. */
static int bind(enum alchemy_type type, const char *name, struct alchemy_proxy *made,
		uintptr_t *descriptor)
{
	struct runtime_record *former = NULL;
	struct runtime_record *object;

	if (!begin())
		return -TACT_EPERM;
	object = find(type, made->owner, made->object);
	if (!object) {
		object = add(type, name, made, descriptor);
		if (object)
			made->memory = NULL;
	} else if (!enter(object, descriptor)) {
		object = NULL;
	}
	if (object) {
		former = leave_former(type, name, descriptor, object);
		*descriptor = runtime_id(object);
	}
	pthread_mutex_unlock(&lock);
	if (former)
		drop(former);
	return object ? 0 : -TACT_ENOMEM;
}

int alchemy_proxy_make(enum alchemy_type type, const char *name, struct session_owner *owner,
		       uint64_t object, uintptr_t *descriptor)
{
	struct session_call check = {.skin = SESSION_ALCHEMY,
				     .service = REMOTE(type, REMOTE_CHECK),
				     .object = object,
				     .timeout = TACT_NOWAIT};
	struct alchemy_proxy made = {.owner = owner, .object = object};
	int error = (int)session_call(owner, &check);

	/* A name is known shortly before its object exists. */
	if (error)
		return error == -ENOMEM ? -TACT_ENOMEM : -TACT_EBUSY;
	error = take_memory(&made, &check);
	if (!error)
		error = bind(type, name, &made, descriptor);
	/* The proxy existed and has the memory already, or could not be made. */
	if (made.memory)
		session_memory_unmap(made.memory);
	return error;
}

static struct runtime_record *find_any(const void *descriptor)
{
	struct runtime_record *object = NULL;

	for (int type = 1; type < ALCHEMY_TYPES && !object; type++)
		object = alchemy_find(descriptor, PROXY(type));
	return object;
}

int alchemy_remote_unbind(const void *descriptor)
{
	struct runtime_record *object;
	bool last = false;

	if (!find_any(descriptor))
		return 0;
	if (!begin())
		return -EPERM;
	object = find_any(descriptor);
	if (object)
		last = leave_once(object, descriptor);
	pthread_mutex_unlock(&lock);
	if (last)
		drop(object);
	return 0;
}

bool alchemy_is_proxy(const void *descriptor, enum alchemy_type type)
{
	return alchemy_find(descriptor, PROXY(type));
}

bool alchemy_proxy_read(const void *descriptor, enum alchemy_type type, struct alchemy_proxy *proxy)
{
	struct runtime_record *object = alchemy_find(descriptor, PROXY(type));

	if (!object)
		return false;
	*proxy = *proxy_in(object);
	/* What was read is not used if the record was freed meanwhile. */
	atomic_thread_fence(memory_order_acquire);
	return alchemy_find(descriptor, PROXY(type)) == object;
}

void *alchemy_block_local(const struct alchemy_proxy *proxy, uint64_t offset)
{
	return proxy->base + offset;
}

uint64_t alchemy_block_remote(const struct alchemy_proxy *proxy, const void *block)
{
	uintptr_t offset = (uintptr_t)block - (uintptr_t)proxy->base;

	return offset < proxy->bytes ? offset : UINT64_MAX;
}
