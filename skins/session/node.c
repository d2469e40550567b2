/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The thread by which a process is reached: it takes connections, hears of the ends of others and
 * of changes of names. Only it makes and frees what stands for a connection; no lock.
 *
 * A caller that has gone, or wants its call broken, is in a wait of the nucleus by proxy: the task
 * that serves it is unblocked. It may not have begun to wait, so this is repeated until it is over
 * with that call.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

#define STACK_BYTES (128u << 10)
#define BACKLOG     64
#define EVENTS      16
#define AGAIN_MS    1
#define END_ROUNDS  100

enum line_kind { LISTENER, NAMES, WAKE, NEW, LINK, CALLS };

struct line {
	enum line_kind kind;
	bool gone;              /* the other side of it */
	uint64_t breaks;        /* the call to break; 0: none */
	uint32_t raised;        /* what its caller was told that it is raised to; 0: it is not */
	struct session_end end; /* whose fd is everyone's */
	struct line *next;
};

struct session_self session_self;

static struct line *lines; /* NEW, LINK, CALLS */
static struct line *lost;  /* kept for good: one for each call under way at a stop of Tactus */
static struct line listener = {.kind = LISTENER};
static struct line names = {.kind = NAMES, .end = {.fd = -1}};
static struct line wake = {.kind = WAKE};
static int poller;
static _Atomic bool ending;

static int listen_for(struct line *line, uint32_t events)
{
	struct epoll_event event = {.events = events, .data = {.ptr = line}};

	return epoll_ctl(poller, EPOLL_CTL_ADD, line->end.fd, &event) ? -errno : 0;
}

static void accept_line(void)
{
	int fd = accept4(listener.end.fd, NULL, NULL, SOCK_CLOEXEC);
	struct line *line = fd < 0 ? NULL : calloc(1, sizeof(*line));

	if (!line) {
		if (fd >= 0)
			close(fd);
		return;
	}
	line->kind = NEW;
	line->end.fd = fd;
	line->next = lines;
	lines = line;
	line->gone = listen_for(line, EPOLLIN | EPOLLRDHUP) != 0;
}

/* Linux would tell of its end again and again. */
static void let_go(struct line *line)
{
	line->gone = true;
	(void)epoll_ctl(poller, EPOLL_CTL_DEL, line->end.fd, NULL);
}

static bool is_linked(uint64_t peer)
{
	for (const struct line *line = lines; line; line = line->next)
		if (line->kind == LINK && line->end.peer == peer && !line->gone)
			return true;
	return false;
}

static void break_call(const struct session_hello *hello)
{
	for (struct line *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == hello->peer &&
		    line->end.thread == hello->thread)
			line->breaks = hello->sequence;
}

/* It has begun to wait, or will before its next look at its priority. */
static void change_priority(const struct session_hello *hello)
{
	for (struct line *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == hello->peer &&
		    line->end.thread == hello->thread && !atomic_load(&line->end.over) &&
		    atomic_load(&line->end.done) < hello->sequence) {
			atomic_store(&line->end.priority, hello->priority);
			(void)tact_task_set_priority(line->end.task, hello->priority, NULL);
		}
}

/* From here on only its end is of interest, and what it says is for its task. */
static int leave_to_task(struct line *line)
{
	struct epoll_event event = {.events = EPOLLRDHUP, .data = {.ptr = line}};

	return epoll_ctl(poller, EPOLL_CTL_MOD, line->end.fd, &event) ? -errno : 0;
}

static void greet(struct line *line)
{
	struct session_hello hello;

	/* One write of the other side, and never more of it before an answer. */
	if (recv(line->end.fd, &hello, sizeof(hello), MSG_DONTWAIT) != sizeof(hello) ||
	    hello.revision != SESSION_REVISION) {
		let_go(line);
		return;
	}
	line->end.peer = hello.peer;
	line->end.thread = hello.thread;
	line->end.pid = hello.pid;
	if (hello.kind == SESSION_LINK && !leave_to_task(line) &&
	    !session_send(line->end.fd, "", 1, NULL, 0, 0)) {
		line->kind = LINK;
	} else if (hello.kind == SESSION_CALLS && is_linked(hello.peer) && !leave_to_task(line) &&
		   !session_serve(&line->end)) {
		line->kind = CALLS;
	} else {
		if (hello.kind == SESSION_BREAK)
			break_call(&hello);
		else if (hello.kind == SESSION_PRIORITY)
			change_priority(&hello);
		else if (hello.kind == SESSION_RAISE)
			session_raise(hello.thread, hello.peer, hello.priority);
		let_go(line);
	}
}

static void drain(int fd)
{
	char events[4096];

	while (read(fd, events, sizeof(events)) > 0)
		;
}

static void handle(struct line *line, uint32_t events)
{
	switch (line->kind) {
	case LISTENER:
		accept_line();
		break;
	case NAMES:
		drain(names.end.fd);
		session_tell_watchers();
		break;
	case WAKE:
		drain(wake.end.fd);
		break;
	case NEW:
		if (events & EPOLLIN)
			greet(line);
		else
			let_go(line);
		break;
	default:
		let_go(line);
	}
}

static void drop(struct line **place, bool task_is_lost)
{
	struct line *line = *place;

	*place = line->next;
	close(line->end.fd);
	/* The thread of a lost task may still be on its way out, and nobody tells when it is. */
	if (task_is_lost) {
		line->next = lost;
		lost = line;
	} else {
		free(line);
	}
}

/* Has the peer gone, with all of its calls? */
static bool is_over(uint64_t peer)
{
	for (const struct line *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == peer)
			return false;
	return true;
}

/* Whose task, which Tactus has ended, will never say that it is over. */
static bool is_lost(const struct line *line)
{
	return tact_task_inquire(line->end.task, NULL) == -TACT_EIDRM;
}

/* True: there is something left that has to be looked at again soon. */
static bool end_calls(struct line *line)
{
	if (line->breaks <= atomic_load(&line->end.done))
		line->breaks = 0;
	if (line->gone || line->breaks)
		(void)tact_task_unblock(line->end.task);
	return line->gone || line->breaks;
}

/* Let the thread that it stands for be as urgent as it is itself by those who wait for what it has.
 * The nucleus tells nobody of that, so it is looked at as long as it has something. */
static bool raise_caller(struct line *line)
{
	bool holds = atomic_load(&line->end.holds) > 0;
	struct session_hello hello = session_hello(SESSION_RAISE, line->end.thread);
	struct session_process peer = {line->end.peer, line->end.pid};
	struct tact_task_info info;
	char node[SESSION_NODE_BYTES];

	if (!holds && !line->raised)
		return false;
	if (holds && !tact_task_inquire(line->end.task, &info) &&
	    info.priority > info.base_priority)
		hello.priority = info.priority;
	if (hello.priority != line->raised) {
		session_node_name(node, &peer);
		if (!session_tell(node, &hello))
			line->raised = hello.priority;
	}
	return holds || line->raised;
}

static bool tidy(void)
{
	bool again = false;
	struct line **place = &lines;

	while (*place) {
		struct line *line = *place;
		bool serves = line->kind == CALLS && !atomic_load(&line->end.over);
		bool task_is_lost = serves && line->gone && is_lost(line);

		if (serves && !task_is_lost) {
			again |= end_calls(line);
			if (!line->gone)
				again |= raise_caller(line);
			place = &line->next;
		} else if (!line->gone && line->kind != CALLS) {
			place = &line->next;
		} else if (line->kind == LINK && !is_over(line->end.peer)) {
			again = true;
			place = &line->next;
		} else {
			uint64_t peer = line->kind == LINK ? line->end.peer : 0;

			drop(place, task_is_lost);
			if (peer && session_self.skin->left)
				session_self.skin->left(peer);
		}
	}
	return again;
}

static void end_all(void)
{
	for (struct line *line = lines; line; line = line->next) {
		(void)shutdown(line->end.fd, SHUT_RDWR);
		if (!line->gone)
			let_go(line);
	}
}

static void *run(void *unused)
{
	struct epoll_event event[EVENTS];
	bool again = false;
	int rounds = 0; /* at the end, where a task may be held for good */

	(void)unused;
	while (!atomic_load(&ending) || (again && rounds++ < END_ROUNDS)) {
		int count = epoll_wait(poller, event, EVENTS, again ? AGAIN_MS : -1);

		for (int i = 0; i < count; i++)
			handle(event[i].data.ptr, event[i].events);
		if (atomic_load(&ending))
			end_all();
		again = tidy();
	}
	return NULL;
}

void session_node_wake(void)
{
	(void)!write(wake.end.fd, &(uint64_t){1}, sizeof(uint64_t));
}

static int listen_at_place(void)
{
	int error;

	listener.end.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (listener.end.fd < 0)
		return -errno;
	error = session_place_listen(listener.end.fd, BACKLOG);
	if (!error)
		return 0;
	close(listener.end.fd);
	return error;
}

/* Of no priority, whatever its maker has, and out of the way of signals. */
static int start_thread(void)
{
	struct sched_param none = {0};
	pthread_attr_t attributes;
	sigset_t all;
	sigset_t before;
	int error;

	sigfillset(&all);
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_OTHER);
	pthread_attr_setschedparam(&attributes, &none);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	error = -pthread_create(&session_self.thread, &attributes, run, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

int session_node_start(void)
{
	int error;

	poller = epoll_create1(EPOLL_CLOEXEC);
	if (poller < 0)
		return -errno;
	error = -ENOMEM;
	wake.end.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (wake.end.fd < 0)
		goto close_poller;
	error = listen_at_place();
	if (error)
		goto close_wake;
	error = listen_for(&listener, EPOLLIN);
	if (!error)
		error = listen_for(&wake, EPOLLIN);
	if (!error)
		error = start_thread();
	if (!error)
		return 0;
	session_leave_place();
	close(listener.end.fd);
close_wake:
	close(wake.end.fd);
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
	names.end.fd = fd;
	if (inotify_add_watch(fd, session_self.folder, IN_CREATE | IN_DELETE) < 0)
		error = -errno;
	else
		error = listen_for(&names, EPOLLIN);
	if (error)
		close(fd);
	return error;
}

void session_node_end(void)
{
	session_leave_place();
	atomic_store(&ending, true);
	session_node_wake();
	pthread_join(session_self.thread, NULL);
}

void session_node_forget(void)
{
	for (struct line *line = lines; line; line = line->next)
		close(line->end.fd);
	lines = NULL;
	close(listener.end.fd);
	close(wake.end.fd);
	close(poller);
	if (names.end.fd >= 0)
		close(names.end.fd);
	names.end.fd = -1;
}
