/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes that are called: there is a link to each, by which each side learns of the other's
 * end. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "caller.h"

#define LINKING (-2)

/* Under the callers' lock. */
static struct session_owner *owners; /* never freed once linked: proxies point to them */
static pthread_cond_t linked = PTHREAD_COND_INITIALIZER;

static int link_to(const char *node)
{
	struct session_hello hello = session_hello(SESSION_LINK, 0);
	int fd = session_connect(node, &hello, NULL);
	struct pollfd answer = {.fd = fd, .events = POLLIN};
	char ready;
	int error = 0;

	if (fd < 0)
		return fd;
	while ((error = poll(&answer, 1, SESSION_PATIENCE_MS)) < 0 && errno == EINTR)
		;
	error = error == 1 ? session_receive(fd, &ready, 1, NULL) : -ETIMEDOUT;
	if (!error && ready != SESSION_WELCOME)
		error = -ENOMEM;
	if (!error)
		return fd;
	close(fd);
	return error == -EPIPE || error == -ECONNRESET ? -ECONNREFUSED : error;
}

/* The argument of wake_if_awaited(). */
static const struct session_owner *awaited;

static void wake_if_awaited(struct caller *caller)
{
	if (atomic_load(&caller->wait.owner) == awaited)
		caller_wake(caller);
}

static struct session_owner *known(const char *node)
{
	struct session_owner *owner = owners;

	while (owner && strcmp(owner->node, node) != 0)
		owner = owner->next;
	return owner;
}

bool session_has_ended(int fd)
{
	struct pollfd link = {.fd = fd, .events = POLLRDHUP};

	return poll(&link, 1, 0) == 1;
}

/* Callers that wait for the owner are woken, and those that are about to wait see its end. The link
 * is closed, as there are fewer descriptors than processes that may come and go. Locked; not by a
 * task. */
static void end_link(struct session_owner *owner)
{
	session_node_unwatch(owner->link);
	close(owner->link);
	owner->link = -1;
	atomic_store(&owner->ended, true);
	awaited = owner;
	callers_each(wake_if_awaited);
}

/* There is only one link, because the end of a second one would tell the owner that this process
 * has ended. So one of the threads that want it makes it. If the owner does not answer, because it
 * is stopped for instance, only those threads wait. */
static int link_owner(struct session_owner *owner)
{
	struct session_owner **place = &owners;
	int link, cancel;

	callers_lend();
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	link = link_to(owner->node);
	(void)pthread_setcancelstate(cancel, &cancel);
	callers_take_back();
	pthread_cond_broadcast(&linked);
	owner->link = link;
	if (link >= 0 && session_node_watch(owner, link)) {
		close(link);
		link = owner->link = -ENOMEM;
	}
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
		callers_wait(&linked);
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
	/* The handler of a signal that came while the thread had the lock. */
	if (callers_locked())
		return -ENOMEM;
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
	/* The process never existed, so it has no socket. */
	return error == -ECONNREFUSED ? -ENOENT : error;
}

bool session_owner_ended(const void *what)
{
	struct session_owner *owner;

	callers_lock();
	owner = owners;
	while (owner && owner != what)
		owner = owner->next;
	if (owner && owner->link >= 0 && session_has_ended(owner->link))
		end_link(owner);
	callers_unlock();
	return owner != NULL;
}

void session_owners_forget(void)
{
	for (struct session_owner *owner = owners; owner; owner = owner->next)
		if (owner->link >= 0)
			close(owner->link);
	owners = NULL;
	pthread_cond_init(&linked, NULL);
}
