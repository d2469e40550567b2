/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A link to each known owner, and for each thread that calls a connection to each owner that it
 * calls. The connections of a thread are its own, so a call takes no lock; they end with it, by
 * which the owner knows.
 */
#define _GNU_SOURCE
#include "caller.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define LINKING (-2)

/* Of both lists. Who holds it is raised to who waits for it: callers are of real time. */
static pthread_mutex_t lock;
static pthread_cond_t linked = PTHREAD_COND_INITIALIZER;
static struct session_owner *owners; /* kept for good: proxies point to them */
static struct caller *callers;
static _Atomic uint32_t caller_count;
static _Atomic uint64_t numbers;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static __thread volatile bool has_lock;

bool callers_locked(void)
{
	return has_lock;
}

void callers_lock(void)
{
	has_lock = true;
	pthread_mutex_lock(&lock);
}

void callers_unlock(void)
{
	pthread_mutex_unlock(&lock);
	has_lock = false;
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

	while (caller && (caller->task != task || !caller->wait.owner))
		caller = caller->next;
	return caller;
}

bool callers_none(void)
{
	return !atomic_load_explicit(&caller_count, memory_order_relaxed);
}

__attribute__((constructor)) static void make_lock(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	(void)pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
}

static int link_to(const char *node)
{
	struct session_hello hello = session_hello(SESSION_LINK, 0);
	int fd = session_connect(node, &hello);
	struct pollfd answer = {.fd = fd, .events = POLLIN};
	char ready;
	int error = 0;

	if (fd < 0)
		return fd;
	while ((error = poll(&answer, 1, SESSION_PATIENCE_MS)) < 0 && errno == EINTR)
		;
	error = error == 1 ? session_receive(fd, &ready, 1, NULL) : -ETIMEDOUT;
	if (!error)
		return fd;
	close(fd);
	return error == -EPIPE || error == -ECONNRESET ? -ECONNREFUSED : error;
}

static struct session_owner *known(const char *node)
{
	struct session_owner *owner = owners;

	while (owner && strcmp(owner->node, node) != 0)
		owner = owner->next;
	return owner;
}

static bool has_ended(int fd)
{
	struct pollfd link = {.fd = fd, .events = POLLRDHUP};

	return poll(&link, 1, 0) == 1;
}

/* What is left of those that have ended is their names: descriptors are fewer than processes may
 * come and go. */
static void forget_ended(void)
{
	for (struct session_owner *owner = owners; owner; owner = owner->next)
		if (has_ended(owner->link)) {
			close(owner->link);
			owner->link = -1;
		}
}

/* A second link, ended, would tell the owner that this process has. So of the threads that want it
 * one makes it. A process that does not answer, stopped for instance, keeps but those waiting. */
static int link_owner(struct session_owner *owner)
{
	struct session_owner **place = &owners;
	int link, cancel;

	forget_ended();
	pthread_mutex_unlock(&lock);
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	link = link_to(owner->node);
	(void)pthread_setcancelstate(cancel, &cancel);
	pthread_mutex_lock(&lock);
	pthread_cond_broadcast(&linked);
	owner->link = link;
	if (link >= 0)
		return 0;
	while (*place != owner)
		place = &(*place)->next;
	*place = owner->next;
	free(owner);
	return link == -ECONNREFUSED ? -ENOENT : link;
}

static int owner_of(const char *node, struct session_owner **result)
{
	struct session_owner *owner;
	int error = 0;

	callers_lock();
	while ((owner = known(node)) && owner->link == LINKING)
		pthread_cond_wait(&linked, &lock);
	if (!owner) {
		owner = calloc(1, sizeof(*owner));
		if (owner) {
			memcpy(owner->node, node, sizeof(owner->node));
			(void)sscanf(node, ".%*u-%" SCNx64, &owner->peer);
			owner->link = LINKING;
			owner->next = owners;
			owners = owner;
			error = link_owner(owner);
		} else {
			error = -ENOMEM;
		}
	}
	if (!error)
		*result = owner;
	callers_unlock();
	return error;
}

int session_find(const char *type, const char *name, struct session_owner **owner, uint64_t *object)
{
	char node[SESSION_NODE_BYTES] = "";
	int error = session_name_read(type, name, node, object);

	*owner = NULL;
	if (error || strcmp(node, session_self.node) == 0)
		return error;
	return owner_of(node, owner);
}

struct session_process session_process(void)
{
	return (struct session_process){session_self.peer, (uint32_t)getpid()};
}

int session_find_process(const struct session_process *process, struct session_owner **owner)
{
	char node[SESSION_NODE_BYTES];
	int error;

	*owner = NULL;
	if (callers_locked())
		return -ENOMEM;
	session_node_name(node, process);
	if (strcmp(node, session_self.node) == 0)
		return 0;
	error = owner_of(node, owner);
	/* What is no process at all has no socket either. */
	return error == -ECONNREFUSED ? -ENOENT : error;
}

void caller_end_channel(struct caller *caller, struct channel *channel)
{
	struct channel **place = &caller->channels;

	while (*place != channel)
		place = &(*place)->next;
	*place = channel->next;
	caller_holds(caller, channel, false);
	close(channel->fd);
	free(channel);
}

static void end_caller(void *arg)
{
	struct caller *caller = arg;
	struct caller **place = &callers;

	callers_lock();
	while (*place && *place != caller)
		place = &(*place)->next;
	if (*place)
		*place = caller->next;
	atomic_fetch_sub(&caller_count, 1);
	callers_unlock();
	while (caller->channels)
		caller_end_channel(caller, caller->channels);
	caller_stand_down(caller);
	close(caller->wake);
	while (caller->inner->channels)
		caller_end_channel(caller->inner, caller->inner->channels);
	free(caller->inner);
	free(caller);
}

static void make_key(void)
{
	has_key = !pthread_key_create(&key, end_caller);
}

/* Both: for calls, and for those of a handler that interrupts one. */
static struct caller *make_caller(void)
{
	struct caller *caller = calloc(1, sizeof(*caller));

	if (!caller)
		return NULL;
	caller->inner = calloc(1, sizeof(*caller));
	caller->wake = caller->inner ? eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) : -1;
	if (caller->wake < 0 || pthread_setspecific(key, caller)) {
		if (caller->wake >= 0)
			close(caller->wake);
		free(caller->inner);
		free(caller);
		return NULL;
	}
	caller->number = atomic_fetch_add(&numbers, 2) + 1;
	caller->inner->number = caller->number + 1;
	caller->inner->wake = -1;
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
	atomic_fetch_add(&caller_count, 1);
	callers_unlock();
	return caller;
}

static void end_useless_channels(struct caller *caller)
{
	struct channel *next;

	for (struct channel *channel = caller->channels; channel; channel = next) {
		next = channel->next;
		if (has_ended(channel->fd))
			caller_end_channel(caller, channel);
	}
}

int caller_channel(struct caller *caller, const struct session_owner *owner,
		   struct channel **result)
{
	struct session_hello hello = session_hello(SESSION_CALLS, caller->number);
	struct channel *channel;
	int fd;

	for (channel = caller->channels; channel; channel = channel->next)
		if (channel->owner == owner) {
			*result = channel;
			return 0;
		}
	end_useless_channels(caller);
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return -ENOMEM;
	fd = session_connect(owner->node, &hello);
	if (fd < 0) {
		free(channel);
		return fd == -ECONNREFUSED ? -EIDRM : -ENOMEM;
	}
	channel->owner = owner;
	channel->fd = fd;
	channel->next = caller->channels;
	caller->channels = channel;
	*result = channel;
	return 0;
}

void session_break(tact_task_t task)
{
	if (callers_none())
		return;
	callers_lock();
	for (struct caller *caller = callers; caller; caller = caller->next)
		if (caller->task == task && atomic_load(&caller->calling)) {
			atomic_store(&caller->broken, true);
			(void)!write(caller->wake, &(uint64_t){1}, sizeof(uint64_t));
		}
	callers_unlock();
}

static void forget_channels(struct caller *caller)
{
	for (struct channel *channel = caller->channels; channel; channel = channel->next)
		close(channel->fd);
	caller->channels = NULL;
}

void session_callers_forget(void)
{
	for (struct session_owner *owner = owners; owner; owner = owner->next)
		if (owner->link >= 0)
			close(owner->link);
	owners = NULL;
	for (struct caller *caller = callers; caller; caller = caller->next) {
		forget_channels(caller);
		forget_channels(caller->inner);
		close(caller->wake);
		caller->wake = -1;
	}
	if (has_key)
		(void)pthread_setspecific(key, NULL);
	callers = NULL;
	atomic_store(&caller_count, 0);
	make_lock();
	pthread_cond_init(&linked, NULL);
}
