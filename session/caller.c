/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Each thread that calls has a connection to each owner that it calls. Other threads do not use it,
 * so a call takes no lock. It ends with the thread, and so the owner learns of the thread's end.
 */
#define _GNU_SOURCE
#include "caller.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define SLOTS 256u

/* Of callers and owners. Its holder is raised to the priority of the threads that wait for it, as
 * callers may be real-time threads. */
static pthread_mutex_t lock;
static struct caller *callers;
/* Of threads that end: what they give back is found here until it is given back. */
static struct caller *ending;
/* How many calls are under way, by their tasks: who looks for one of a task looks here first. */
static _Atomic uint32_t in_calls[SLOTS];
static _Atomic uint64_t numbers;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static __thread volatile bool has_lock;

bool callers_locked(void)
{
	return has_lock;
}

/* A task that is deleted in primary mode would keep the lock. In secondary mode it ends in its next
 * service of the nucleus, and no task calls one with the lock. */
void callers_lock(void)
{
	if (tact_mode() == TACT_MODE_PRIMARY)
		(void)tact_task_relax();
	has_lock = true;
	pthread_mutex_lock(&lock);
}

void callers_unlock(void)
{
	pthread_mutex_unlock(&lock);
	has_lock = false;
}

void callers_lend(void)
{
	pthread_mutex_unlock(&lock);
}

void callers_take_back(void)
{
	pthread_mutex_lock(&lock);
}

void callers_wait(pthread_cond_t *changed)
{
	pthread_cond_wait(changed, &lock);
}

struct caller *caller_of(uint64_t number)
{
	struct caller *caller = callers;

	while (caller && caller->number != number)
		caller = caller->next;
	return caller;
}

struct caller *caller_that_waits(tact_task_t task)
{
	struct caller *caller = callers;

	while (caller && (caller->task.id != task.id || !atomic_load(&caller->wait.owner)))
		caller = caller->next;
	return caller;
}

void callers_each(void (*visit)(struct caller *caller))
{
	for (struct caller *caller = callers; caller; caller = caller->next)
		visit(caller);
}

bool callers_may_have(tact_task_t task)
{
	return atomic_load(&in_calls[task.id % SLOTS]);
}

void caller_begin(struct caller *caller)
{
	atomic_store(&caller->broken, false);
	atomic_fetch_add(&in_calls[caller->task.id % SLOTS], 1);
	atomic_store(&caller->calling, true);
}

void caller_finish(struct caller *caller)
{
	if (atomic_exchange(&caller->calling, false))
		atomic_fetch_sub(&in_calls[caller->task.id % SLOTS], 1);
}

__attribute__((constructor)) static void make_lock(void)
{
	session_lock_make(&lock);
}

void caller_end_channel(struct caller *caller, struct channel *channel)
{
	struct channel **place = &caller->channels;

	caller_holds(caller, channel, false);
	caller_left_by(caller, channel->owner->peer);
	close(channel->fd);
	session_vectors_unmap(&channel->vectors);
	/* Other threads may be about to wake the caller there. */
	callers_lock();
	ring_unmap(channel->ring);
	callers_unlock();
	while (*place != channel)
		place = &(*place)->next;
	*place = channel->next;
	free(channel);
}

/* The life of the vectors; 0: they are not of the present start of the nucleus, for which the node
 * is to make them. */
static uint32_t caller_life(void)
{
	if (session_vectors_are_open())
		return session_vectors_life();
	if (tact_cpus())
		session_node_wants_vectors();
	return 0;
}

static void drop_semaphore(struct caller *caller)
{
	session_vector_put(caller->vector);
	caller->vector = SESSION_NO_VECTOR;
	if (caller->sem.id)
		(void)tact_sem_delete(caller->sem);
	caller->sem.id = 0;
}

void caller_make_semaphore(struct caller *caller)
{
	const uint32_t life = session_vectors_life();

	if (!caller->task.id || (caller->life == life && caller->sem.id))
		return;
	drop_semaphore(caller);
	caller->life = life;
	if (!life || tact_sem_create(NULL, 0, 1, TACT_PRIO, &caller->sem))
		return;
	caller->vector = session_vector_get(caller->sem);
	if (caller->vector == SESSION_NO_VECTOR)
		drop_semaphore(caller);
}

static void move(struct caller *caller, struct caller **from, struct caller **to)
{
	callers_lock();
	while (*from && *from != caller)
		from = &(*from)->next;
	if (*from)
		*from = caller->next;
	if (to) {
		caller->next = *to;
		*to = caller;
	}
	callers_unlock();
}

static void end_caller(void *arg)
{
	struct caller *caller = arg;

	move(caller, &callers, &ending);
	caller_finish(caller);
	caller_finish(caller->inner);
	while (caller->channels)
		caller_end_channel(caller, caller->channels);
	caller_stand_down(caller);
	drop_semaphore(caller);
	while (caller->inner->channels)
		caller_end_channel(caller->inner, caller->inner->channels);
	move(caller, &ending, NULL);
	free(caller->inner);
	free(caller);
}

static void make_key(void)
{
	has_key = !pthread_key_create(&key, end_caller);
}

/* Make two: one for calls, and one for the calls of a signal's handler that interrupts a call. */
static struct caller *make_caller(void)
{
	struct caller *caller = calloc(1, sizeof(*caller));

	if (!caller)
		return NULL;
	caller->inner = calloc(1, sizeof(*caller));
	if (!caller->inner || pthread_setspecific(key, caller)) {
		free(caller->inner);
		free(caller);
		return NULL;
	}
	caller->number = atomic_fetch_add(&numbers, 2) + 1;
	caller->inner->number = caller->number + 1;
	caller->vector = caller->inner->vector = SESSION_NO_VECTOR;
	caller->task = tact_task_self();
	return caller;
}

static struct caller *inner_of(const struct caller *caller)
{
	return caller->exchanges && !atomic_load(&caller->inner->calling) ? caller->inner : NULL;
}

struct caller *caller_self(void)
{
	struct caller *caller;

	(void)pthread_once(&once, make_key);
	if (!has_key)
		return NULL;
	caller = pthread_getspecific(key);
	if (caller && atomic_load(&caller->calling))
		return inner_of(caller);
	if (caller) {
		/* A thread may become a task, and stop being one. */
		caller->task = tact_task_self();
		return caller;
	}
	caller = make_caller();
	if (!caller)
		return NULL;
	callers_lock();
	caller->next = callers;
	callers = caller;
	callers_unlock();
	return caller;
}

void caller_end_useless_channels(struct caller *caller)
{
	struct channel *next;

	for (struct channel *channel = caller->channels; channel; channel = next) {
		next = channel->next;
		if (session_has_ended(channel->fd))
			caller_end_channel(caller, channel);
	}
}

/* What the owner needs: the ring, and this process's vectors if it has any. */
static int greet(struct channel *channel, const struct caller *caller, int ring_file)
{
	struct session_hello hello = session_hello(SESSION_CALLS, caller->number);
	struct session_files files = {.count = 1, .file = {ring_file}};

	if (channel->life) {
		session_vectors_files(&files.file[1]);
		files.count += SESSION_VECTOR_FILES;
	}
	channel->fd = session_connect(channel->owner->node, &hello, &files);
	if (channel->fd >= 0)
		return 0;
	return channel->fd == -ECONNREFUSED ? -EIDRM : -ENOMEM;
}

static int make_channel(struct channel *channel, struct caller *caller)
{
	int ring_file, error;

	/* A fork's child has no vectors, as it has no real-time CPUs. Calls by a channel that was
	 * made without vectors wait in Linux. */
	channel->life = caller_life();
	channel->ring = ring_make(&ring_file);
	if (!channel->ring)
		return -ENOMEM;
	error = greet(channel, caller, ring_file);
	close(ring_file);
	if (error)
		ring_unmap(channel->ring);
	return error;
}

int caller_channel(struct caller *caller, const struct session_owner *owner,
		   struct channel **result)
{
	struct channel *channel = caller->channels;
	int error;

	while (channel && channel->owner != owner)
		channel = channel->next;
	/* What the owner would raise for an earlier life of this process's vectors is lost. */
	if (channel && channel->life == caller_life()) {
		*result = channel;
		return 0;
	}
	if (channel)
		caller_end_channel(caller, channel);
	caller_end_useless_channels(caller);
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return -ENOMEM;
	channel->owner = owner;
	error = make_channel(channel, caller);
	if (error) {
		free(channel);
		return error;
	}
	channel->next = caller->channels;
	caller->channels = channel;
	*result = channel;
	return 0;
}

void caller_waits(struct caller *caller, const struct channel *channel, uint32_t priority)
{
	atomic_store(&caller->wait.ring, channel->ring);
	atomic_store(&caller->wait.sequence, channel->sequence);
	atomic_store(&caller->wait.priority, priority);
	atomic_store(&caller->wait.owner, channel->owner);
}

void caller_waits_no_more(struct caller *caller)
{
	atomic_store(&caller->wait.owner, NULL);
	atomic_store(&caller->wait.ring, NULL);
}

/* Wake the caller if it waits in Linux, and return the semaphore at which it may wait in the
 * nucleus. */
static tact_sem_t wake_in_linux(struct caller *caller)
{
	struct ring *ring = atomic_load(&caller->wait.ring);

	if (ring)
		ring_tell(ring);
	return caller->sem;
}

void caller_wake(struct caller *caller)
{
	tact_sem_t sem = wake_in_linux(caller);

	if (sem.id)
		(void)tact_sem_post(sem);
}

/* The semaphore is posted without the lock, because a task may be ended in a service of the
 * nucleus. */
void session_break(tact_task_t task)
{
	tact_sem_t sem = {0};

	if (!callers_may_have(task))
		return;
	callers_lock();
	for (struct caller *caller = callers; caller; caller = caller->next)
		if (caller->task.id == task.id && atomic_load(&caller->calling)) {
			atomic_store(&caller->broken, true);
			sem = wake_in_linux(caller);
		}
	callers_unlock();
	if (sem.id)
		(void)tact_sem_post(sem);
}

static void forget_channels(struct caller *caller)
{
	for (struct channel *channel = caller->channels; channel; channel = channel->next)
		close(channel->fd);
	caller->channels = NULL;
}

void session_callers_forget(void)
{
	for (struct caller *caller = callers; caller; caller = caller->next) {
		forget_channels(caller);
		forget_channels(caller->inner);
	}
	if (has_key)
		(void)pthread_setspecific(key, NULL);
	callers = ending = NULL;
	for (uint32_t i = 0; i < SLOTS; i++)
		atomic_store(&in_calls[i], 0);
	make_lock();
	session_owners_forget();
}
