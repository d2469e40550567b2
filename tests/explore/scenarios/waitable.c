/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "waitable.h"

#define HEAP_BYTES 8192u

static char heap_memory[HEAP_BYTES] __attribute__((aligned(64)));
static tact_mutex_t cond_mutex;

static tact_object_t sem_create(uint32_t flags)
{
	tact_sem_t sem;

	must_succeed(tact_sem_create(NULL, 0, 1, flags, &sem));
	return tact_object(sem);
}

static int sem_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_sem_t sem = {object.id};

	return tact_sem_wait(sem, timeout);
}

static tact_object_t pool_create(uint32_t flags)
{
	tact_pool_t pool;
	void *block;

	must_succeed(tact_pool_create(NULL, 100, 1, NULL, flags, &pool));
	must_succeed(tact_pool_get(pool, TACT_NOWAIT, &block));
	return tact_object(pool);
}

static int pool_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_pool_t pool = {object.id};
	void *block;

	return tact_pool_get(pool, timeout, &block);
}

static tact_object_t heap_create(uint32_t flags)
{
	tact_heap_t heap;
	void *block;

	must_succeed(tact_heap_create(NULL, heap_memory, HEAP_BYTES, flags, &heap));
	must_succeed(tact_heap_alloc(heap, HEAP_BYTES / 2, TACT_NOWAIT, &block));
	return tact_object(heap);
}

static int heap_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_heap_t heap = {object.id};
	void *block;

	return tact_heap_alloc(heap, HEAP_BYTES / 2, timeout, &block);
}

static tact_object_t event_create(uint32_t flags)
{
	tact_event_t event;

	must_succeed(tact_event_create(NULL, 1, flags, &event));
	return tact_object(event);
}

static int event_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_event_t event = {object.id};

	return tact_event_wait(event, 3, TACT_EVENT_ALL, timeout, NULL);
}

static tact_object_t queue_create(uint32_t flags)
{
	tact_queue_t queue;

	must_succeed(tact_queue_create(NULL, 8, 2, flags, &queue));
	return tact_object(queue);
}

static int queue_receive(tact_object_t object, tact_timeout_t timeout)
{
	const tact_queue_t queue = {object.id};
	uint64_t message;

	return tact_queue_receive(queue, &message, sizeof(message), NULL, timeout);
}

static tact_object_t full_queue_create(uint32_t flags)
{
	const tact_queue_t queue = {queue_create(flags).id};

	must_succeed(tact_queue_send(queue, "1", 1, TACT_QUEUE_NORMAL, TACT_NOWAIT));
	must_succeed(tact_queue_send(queue, "2", 1, TACT_QUEUE_NORMAL, TACT_NOWAIT));
	return tact_object(queue);
}

static int queue_send(tact_object_t object, tact_timeout_t timeout)
{
	const tact_queue_t queue = {object.id};

	return tact_queue_send(queue, "3", 1, TACT_QUEUE_NORMAL, timeout);
}

static tact_object_t mailbox_create(uint32_t flags)
{
	tact_mailbox_t mailbox;

	must_succeed(tact_mailbox_create(NULL, 2, flags, &mailbox));
	return tact_object(mailbox);
}

static int mailbox_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_mailbox_t mailbox = {object.id};
	uint64_t value;

	return tact_mailbox_pend(mailbox, &value, timeout);
}

static tact_object_t buffer_create(uint32_t flags)
{
	tact_buffer_t buffer;

	must_succeed(tact_buffer_create(NULL, 64, flags, &buffer));
	return tact_object(buffer);
}

static int buffer_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_buffer_t buffer = {object.id};
	char data[8];

	return tact_buffer_read(buffer, data, sizeof(data), TACT_BUFFER_WHOLE, timeout);
}

static tact_object_t barrier_create(uint32_t flags)
{
	tact_barrier_t barrier;

	must_succeed(tact_barrier_create(NULL, EXPLORE_ACTORS, flags, &barrier));
	return tact_object(barrier);
}

static int barrier_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_barrier_t barrier = {object.id};

	return tact_barrier_wait(barrier, timeout);
}

static tact_object_t port_create(uint32_t flags)
{
	tact_port_t port;

	must_succeed(tact_port_create(NULL, flags, &port));
	return tact_object(port);
}

static int port_serve(tact_object_t object, tact_timeout_t timeout)
{
	const tact_port_t port = {object.id};

	return tact_port_receive(port, NULL, 0, NULL, timeout);
}

static int port_send(tact_object_t object, tact_timeout_t timeout)
{
	const tact_port_t port = {object.id};
	char reply[4];

	return tact_port_send(port, "hail", 4, reply, sizeof(reply), timeout);
}

/* One actor owns it and the others want it, until it is deleted. */
static tact_mutex_t owned_mutex;
static tact_rwlock_t owned_rwlock;

static void own_mutex(struct explore_actor *self)
{
	must_succeed(tact_mutex_lock(owned_mutex, TACT_FOREVER));
	self->progress = 1;
	while (!tact_mutex_inquire(owned_mutex, NULL))
		explore_pause(5000);
	must_equal(tact_mutex_unlock(owned_mutex), -TACT_EIDRM);
	explore_check(self);
}

static void own_rwlock(struct explore_actor *self)
{
	must_succeed(tact_rwlock_write(owned_rwlock, TACT_FOREVER));
	self->progress = 1;
	while (!tact_rwlock_inquire(owned_rwlock, NULL))
		explore_pause(5000);
	must_equal(tact_rwlock_unlock(owned_rwlock), -TACT_EIDRM);
	explore_check(self);
}

static void let_own(void (*body)(struct explore_actor *))
{
	const struct explore_actor *owner =
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9), body, 0);

	while (!owner->progress)
		explore_rest();
}

static tact_object_t mutex_create(uint32_t flags)
{
	must_succeed(tact_mutex_create(NULL, flags, 0, &owned_mutex));
	let_own(own_mutex);
	return tact_object(owned_mutex);
}

static int mutex_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_mutex_t mutex = {object.id};

	return tact_mutex_lock(mutex, timeout);
}

static tact_object_t rwlock_create(uint32_t flags)
{
	must_succeed(tact_rwlock_create(NULL, 4, flags, &owned_rwlock));
	let_own(own_rwlock);
	return tact_object(owned_rwlock);
}

static int rwlock_read(tact_object_t object, tact_timeout_t timeout)
{
	const tact_rwlock_t rwlock = {object.id};

	return tact_rwlock_read(rwlock, timeout);
}

static int rwlock_write(tact_object_t object, tact_timeout_t timeout)
{
	const tact_rwlock_t rwlock = {object.id};

	return tact_rwlock_write(rwlock, timeout);
}

static tact_object_t cond_create(uint32_t flags)
{
	tact_cond_t cond;

	must_succeed(tact_mutex_create(NULL, flags, 0, &cond_mutex));
	must_succeed(tact_cond_create(NULL, flags, &cond));
	return tact_object(cond);
}

static int cond_wait(tact_object_t object, tact_timeout_t timeout)
{
	const tact_cond_t cond = {object.id};
	int result = tact_mutex_lock(cond_mutex, TACT_FOREVER);

	if (result)
		return result;
	result = tact_cond_wait(cond, cond_mutex, timeout);
	must_succeed(tact_mutex_unlock(cond_mutex));
	return result;
}

static void cond_clean_up(void)
{
	must_succeed(tact_mutex_delete(cond_mutex));
}

const struct waitable waitables[] = {
	{"semaphore", sem_create, sem_wait, true, NULL},
	{"pool", pool_create, pool_wait, true, NULL},
	{"heap", heap_create, heap_wait, true, NULL},
	{"group of event flags", event_create, event_wait, true, NULL},
	{"queue", queue_create, queue_receive, true, NULL},
	{"full queue", full_queue_create, queue_send, true, NULL},
	{"mailbox", mailbox_create, mailbox_wait, true, NULL},
	{"buffer", buffer_create, buffer_wait, true, NULL},
	{"barrier", barrier_create, barrier_wait, true, NULL},
	{"port without clients", port_create, port_serve, true, NULL},
	{"port without servers", port_create, port_send, true, NULL},
	{"mutex", mutex_create, mutex_wait, false, NULL},
	{"reader-writer lock to read", rwlock_create, rwlock_read, false, NULL},
	{"reader-writer lock to write", rwlock_create, rwlock_write, false, NULL},
	{"condition", cond_create, cond_wait, false, cond_clean_up},
};
const uint32_t waitable_count = sizeof(waitables) / sizeof(waitables[0]);
