/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes that are called: a link to each, by which each of the two hears of the other's end. */
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
static struct session_owner *owners; /* kept for good: proxies point to them */
static pthread_cond_t linked = PTHREAD_COND_INITIALIZER;

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
	/* The first byte of a refusal is another one. */
	if (!error && ready)
		error = -ENOMEM;
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

bool session_has_ended(int fd)
{
	struct pollfd link = {.fd = fd, .events = POLLRDHUP};

	return poll(&link, 1, 0) == 1;
}

/* What is left of those that have ended is their names: descriptors are fewer than processes may
 * come and go. */
static void forget_ended(void)
{
	for (struct session_owner *owner = owners; owner; owner = owner->next)
		if (session_has_ended(owner->link)) {
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
	callers_lend();
	(void)pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	link = link_to(owner->node);
	(void)pthread_setcancelstate(cancel, &cancel);
	callers_take_back();
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

void session_owners_forget(void)
{
	for (struct session_owner *owner = owners; owner; owner = owner->next)
		if (owner->link >= 0)
			close(owner->link);
	owners = NULL;
	pthread_cond_init(&linked, NULL);
}
