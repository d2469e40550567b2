/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The thread by which other processes reach this one. It takes connections, and learns of the ends
 * of other processes and of changes of names.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "internal.h"
#include "lines.h"
#include "session_thread.h"

#define BACKLOG    64
#define EVENTS     16
#define AGAIN_MS   1
#define END_ROUNDS 100
#define VECTORS_NS 50000000
#define NS_S       1000000000

struct session_self session_self;

/* The poller reports these by their addresses, and also the connections. */
static int listener, wake, names = -1;
static int poller;
static _Atomic bool ending;
/* Set if vectors are wanted. The semaphore is posted when the thread has tried once to make
 * them. */
static _Atomic bool wants_vectors;
static sem_t tried;
static bool deaf; /* the listener is not watched, because Linux would report it again and again */

static int listen_for(int *fd)
{
	struct epoll_event event = {.events = EPOLLIN, .data = {.ptr = fd}};

	return epoll_ctl(poller, EPOLL_CTL_ADD, *fd, &event) ? -errno : 0;
}

int session_node_watch(struct session_owner *owner, int link)
{
	struct epoll_event event = {.events = EPOLLRDHUP, .data = {.ptr = owner}};

	return epoll_ctl(poller, EPOLL_CTL_ADD, link, &event) ? -errno : 0;
}

/* If a vfork's child has a copy of the descriptor, Linux would still report it. */
void session_node_unwatch(int link)
{
	(void)epoll_ctl(poller, EPOLL_CTL_DEL, link, NULL);
}

static void hear_callers(bool hears)
{
	struct epoll_event event = {.events = hears ? EPOLLIN : 0, .data = {.ptr = &listener}};

	deaf = !hears;
	(void)epoll_ctl(poller, EPOLL_CTL_MOD, listener, &event);
}

static void drain(int fd)
{
	uint64_t count;

	while (read(fd, &count, sizeof(count)) > 0)
		;
}

static void handle(void *what, uint32_t events)
{
	if (what == &listener) {
		if (!session_connection_accept(listener))
			hear_callers(false);
	} else if (what == &names) {
		session_names_read(names);
	} else if (what == &wake) {
		drain(wake);
	} else if (!session_owner_ended(what)) {
		session_connection_heard(what, events);
	}
}

static void *run(void *unused)
{
	struct epoll_event event[EVENTS];
	bool again = false;
	int rounds = 0; /* at the end, where a task may never let go of its connection */

	(void)unused;
	(void)session_vectors_open();
	(void)sem_post(&tried);
	while (!atomic_load(&ending) || (again && rounds++ < END_ROUNDS)) {
		int count = epoll_wait(poller, event, EVENTS, again || deaf ? AGAIN_MS : -1);

		if (deaf)
			hear_callers(true);
		if (atomic_exchange(&wants_vectors, false))
			(void)session_vectors_open();
		for (int i = 0; i < count; i++)
			handle(event[i].data.ptr, event[i].events);
		if (atomic_load(&ending))
			session_connections_end();
		again = session_connections_tidy();
		session_raise_settle();
	}
	return NULL;
}

void session_node_wake(void)
{
	(void)!write(wake, &(uint64_t){1}, sizeof(uint64_t));
}

void session_node_wants_vectors(void)
{
	if (!atomic_exchange(&wants_vectors, true))
		session_node_wake();
}

/* Calls made before there are vectors wait in Linux. This wait is limited, because the node's
 * thread has no real-time priority and may not get to run. */
static void await_vectors(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += VECTORS_NS;
	until.tv_sec += until.tv_nsec / NS_S;
	until.tv_nsec %= NS_S;
	while (sem_timedwait(&tried, &until) && errno == EINTR)
		;
}

static int listen_at_place(void)
{
	int error;

	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener < 0)
		return -errno;
	error = session_dir_listen(listener, BACKLOG);
	if (!error)
		return 0;
	close(listener);
	return error;
}

int session_node_start(void)
{
	int error;

	poller = epoll_create1(EPOLL_CLOEXEC);
	if (poller < 0)
		return -errno;
	session_connections_begin(poller);
	error = -ENOMEM;
	wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake < 0)
		goto close_poller;
	error = listen_at_place();
	if (error)
		goto close_wake;
	error = listen_for(&listener);
	if (!error)
		error = listen_for(&wake);
	(void)sem_init(&tried, 0, 0);
	if (!error)
		error = -session_linux_thread(&session_self.thread, run, NULL);
	if (!error) {
		await_vectors();
		return 0;
	}
	session_dir_leave();
	close(listener);
close_wake:
	close(wake);
close_poller:
	close(poller);
	return error;
}

int session_node_hear(void)
{
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	int error;

	if (fd < 0)
		return -errno;
	names = fd;
	if (inotify_add_watch(fd, session_self.folder, IN_CREATE | IN_DELETE) < 0)
		error = -errno;
	else
		error = listen_for(&names);
	if (error)
		close(fd);
	return error;
}

void session_node_end(void)
{
	session_dir_leave();
	atomic_store(&ending, true);
	session_node_wake();
	pthread_join(session_self.thread, NULL);
}

void session_node_forget(void)
{
	session_connections_forget();
	close(listener);
	close(wake);
	close(poller);
	if (names >= 0)
		close(names);
	names = -1;
}
