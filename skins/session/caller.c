/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A link to each known owner, and for each thread that calls a connection to each owner that it
 * calls. The connections of a thread are its own, so a call takes no lock; they end with it, by
 * which the owner knows.
 */
#define _GNU_SOURCE
#include "caller.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of both lists */
static struct session_owner *owners;                     /* kept for good: others point to them */
static struct caller *callers;
static _Atomic uint32_t caller_count;
static _Atomic uint64_t numbers;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static int link_to(const char *node)
{
	struct session_hello hello = {SESSION_REVISION, SESSION_LINK, session_self.peer, 0, 0};
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

static int owner_of(const char *node, struct session_owner **result)
{
	struct session_owner *owner;
	int error = 0;

	pthread_mutex_lock(&lock);
	for (owner = owners; owner && strcmp(owner->node, node) != 0; owner = owner->next)
		;
	if (!owner) {
		owner = calloc(1, sizeof(*owner));
		if (!owner) {
			error = -ENOMEM;
			goto unlock;
		}
		owner->link = link_to(node);
		if (owner->link < 0) {
			error = owner->link == -ECONNREFUSED ? -ENOENT : owner->link;
			free(owner);
			goto unlock;
		}
		memcpy(owner->node, node, sizeof(owner->node));
		owner->next = owners;
		owners = owner;
	}
	*result = owner;
unlock:
	pthread_mutex_unlock(&lock);
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

void caller_end_channel(struct caller *caller, struct channel *channel)
{
	struct channel **place = &caller->channels;

	while (*place != channel)
		place = &(*place)->next;
	*place = channel->next;
	close(channel->fd);
	free(channel);
}

static void end_caller(void *arg)
{
	struct caller *caller = arg;
	struct caller **place = &callers;

	pthread_mutex_lock(&lock);
	while (*place && *place != caller)
		place = &(*place)->next;
	if (*place)
		*place = caller->next;
	atomic_fetch_sub(&caller_count, 1);
	pthread_mutex_unlock(&lock);
	while (caller->channels)
		caller_end_channel(caller, caller->channels);
	close(caller->wake);
	free(caller);
}

static void make_key(void)
{
	has_key = !pthread_key_create(&key, end_caller);
}

struct caller *caller_self(void)
{
	struct caller *caller;

	(void)pthread_once(&once, make_key);
	if (!has_key)
		return NULL;
	caller = pthread_getspecific(key);
	if (caller) {
		/* A thread may become a task, and stop being one. */
		caller->task = tact_task_self();
		return caller;
	}
	caller = calloc(1, sizeof(*caller));
	if (!caller)
		return NULL;
	caller->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (caller->wake < 0 || pthread_setspecific(key, caller)) {
		if (caller->wake >= 0)
			close(caller->wake);
		free(caller);
		return NULL;
	}
	caller->number = atomic_fetch_add(&numbers, 1) + 1;
	caller->task = tact_task_self();
	pthread_mutex_lock(&lock);
	caller->next = callers;
	callers = caller;
	atomic_fetch_add(&caller_count, 1);
	pthread_mutex_unlock(&lock);
	return caller;
}

int caller_channel(struct caller *caller, const struct session_owner *owner,
		   struct channel **result)
{
	struct session_hello hello = {SESSION_REVISION, SESSION_CALLS, session_self.peer,
				      caller->number, 0};
	struct channel *channel;
	int fd;

	for (channel = caller->channels; channel; channel = channel->next)
		if (channel->owner == owner) {
			*result = channel;
			return 0;
		}
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
	if (!atomic_load_explicit(&caller_count, memory_order_relaxed))
		return;
	pthread_mutex_lock(&lock);
	for (struct caller *caller = callers; caller; caller = caller->next)
		if (caller->task == task && atomic_load(&caller->calling)) {
			atomic_store(&caller->broken, true);
			(void)!write(caller->wake, &(uint64_t){1}, sizeof(uint64_t));
		}
	pthread_mutex_unlock(&lock);
}

void session_callers_forget(void)
{
	for (struct session_owner *owner = owners; owner; owner = owner->next)
		close(owner->link);
	owners = NULL;
	for (struct caller *caller = callers; caller; caller = caller->next) {
		for (struct channel *channel = caller->channels; channel; channel = channel->next)
			close(channel->fd);
		caller->channels = NULL;
		close(caller->wake);
		caller->wake = -1;
	}
	if (has_key)
		(void)pthread_setspecific(key, NULL);
	callers = NULL;
	atomic_store(&caller_count, 0);
	pthread_mutex_init(&lock, NULL);
}
