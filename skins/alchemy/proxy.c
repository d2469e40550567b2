/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Proxies: one of an object, however often it is bound, that counts its bindings. Programs that
 * bind a name again because its owner has begun anew do not unbind: so each new binding gives one
 * back of what had the name before, whose memory stays until all have.
 */
#include "between.h"

#include <pthread.h>
#include <string.h>

#define PROXY(type) ((enum alchemy_type)((type) + ALCHEMY_TYPES))

_Static_assert(sizeof(struct alchemy_proxy) <= ALCHEMY_EXTRA_BYTES, "a proxy fits in a record");

/* Of Linux: bindings are no matter of microseconds. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct alchemy_object *proxies;

static struct alchemy_proxy *proxy_in(struct alchemy_object *object)
{
	return (struct alchemy_proxy *)object->extra;
}

static struct alchemy_object *find(enum alchemy_type type, const struct session_owner *owner,
				   uint64_t handle)
{
	struct alchemy_object *object = proxies;

	while (object && (object->type != (uint32_t)PROXY(type) ||
			  proxy_in(object)->owner != owner || proxy_in(object)->object != handle))
		object = proxy_in(object)->next;
	return object;
}

/* A binding less. True: it was the last, and nobody finds the proxy any more. */
static bool leave(struct alchemy_object *object)
{
	uintptr_t handle = alchemy_handle(object);
	struct alchemy_object **place = &proxies;

	if (--proxy_in(object)->bindings)
		return false;
	while (*place != object)
		place = &proxy_in(*place)->next;
	*place = proxy_in(object)->next;
	(void)alchemy_take(&handle, (enum alchemy_type)object->type);
	return true;
}

static void drop(struct alchemy_object *object)
{
	if (proxy_in(object)->memory)
		session_memory_unmap(proxy_in(object)->memory);
	alchemy_drop(object);
}

/* What had the name before. In a session a name is one object's. */
static struct alchemy_object *leave_former(enum alchemy_type type, const char *name)
{
	struct alchemy_object *object = proxies;

	while (object && (object->type != (uint32_t)PROXY(type) || strcmp(object->name, name) != 0))
		object = proxy_in(object)->next;
	return object && leave(object) ? object : NULL;
}

static int take_memory(struct alchemy_proxy *proxy, const struct session_call *answer)
{
	/* It came without one where there is no descriptor for it. */
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

static struct alchemy_object *add(enum alchemy_type type, const char *name,
				  const struct alchemy_proxy *made)
{
	struct alchemy_object *object = alchemy_reserve(PROXY(type), name);

	if (!object)
		return NULL;
	*proxy_in(object) = *made;
	proxy_in(object)->bindings = 1;
	proxy_in(object)->next = proxies;
	proxies = object;
	(void)alchemy_publish(object, 0);
	return object;
}

/* One binding of it more. 0, -TACT_ENOMEM. */
static int bind(enum alchemy_type type, const char *name, struct alchemy_proxy *made,
		uintptr_t *handle)
{
	struct alchemy_object *former = NULL;
	struct alchemy_object *object;

	pthread_mutex_lock(&lock);
	object = find(type, made->owner, made->object);
	if (object) {
		proxy_in(object)->bindings++;
	} else {
		former = leave_former(type, name);
		object = add(type, name, made);
		if (object)
			made->memory = NULL;
	}
	*handle = object ? alchemy_handle(object) : 0;
	pthread_mutex_unlock(&lock);
	/* It has its own, or there is none to have it. */
	if (made->memory)
		session_memory_unmap(made->memory);
	if (former)
		drop(former);
	return object ? 0 : -TACT_ENOMEM;
}

int alchemy_proxy_make(enum alchemy_type type, const char *name, struct session_owner *owner,
		       uint64_t object, uintptr_t *handle)
{
	struct session_call check = {
		.service = AWAY(type, AWAY_CHECK), .object = object, .timeout = TACT_NOWAIT};
	struct alchemy_proxy made = {.owner = owner, .object = object};
	int error = (int)session_call(owner, &check);

	/* A name is known shortly before its object is there. */
	if (error)
		return error == -ENOMEM ? -TACT_ENOMEM : -TACT_EBUSY;
	error = take_memory(&made, &check);
	return error ? error : bind(type, name, &made, handle);
}

bool alchemy_unbind_away(const void *descriptor)
{
	struct alchemy_object *object = NULL;
	bool last = false;

	pthread_mutex_lock(&lock);
	for (int type = 1; type < ALCHEMY_TYPES && !object; type++)
		object = alchemy_find(descriptor, PROXY(type));
	if (object)
		last = leave(object);
	pthread_mutex_unlock(&lock);
	if (last)
		drop(object);
	return object;
}

bool alchemy_is_proxy(const void *descriptor, enum alchemy_type type)
{
	return alchemy_find(descriptor, PROXY(type));
}

bool alchemy_proxy_read(const void *descriptor, enum alchemy_type type, struct alchemy_proxy *proxy)
{
	struct alchemy_object *object = alchemy_find(descriptor, PROXY(type));

	if (!object)
		return false;
	*proxy = *proxy_in(object);
	/* What was read is not looked at if the record was given back meanwhile. */
	atomic_thread_fence(memory_order_acquire);
	return alchemy_find(descriptor, PROXY(type)) == object;
}

void *alchemy_block_here(const struct alchemy_proxy *proxy, uint64_t offset)
{
	return proxy->base + offset;
}

uint64_t alchemy_block_there(const struct alchemy_proxy *proxy, const void *block)
{
	uintptr_t offset = (uintptr_t)block - (uintptr_t)proxy->base;

	return offset < proxy->bytes ? offset : UINT64_MAX;
}
