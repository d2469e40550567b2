/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Connections that came in. Each is new until it has said what it is: a link, which tells that a
 * process is there, or calls of one of its threads, which a task serves; anything else is said
 * once.
 *
 * A caller that has gone, or wants its call broken, is in a wait of the nucleus by proxy: the task
 * that serves it is unblocked. It may not have begun to wait, so this is repeated until it is over
 * with that call.
 */
#define _GNU_SOURCE
#include "lines.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "internal.h"

enum line_kind { NEW, LINK, CALLS };

struct session_line {
	enum line_kind kind;
	bool gone;       /* the other side of it */
	uint64_t breaks; /* the call to break; 0: none */
	uint32_t raised; /* what its caller was told that it is raised to; 0: it is not */
	struct session_end end;
	struct session_line *next;
};

static struct session_line *lines;
/* Kept for good: one for each call under way at a stop of Tactus. */
static struct session_line *lost;
static int poller;

void session_lines_begin(int watched_by)
{
	poller = watched_by;
}

static int listen_for(struct session_line *line)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.ptr = line}};

	return epoll_ctl(poller, EPOLL_CTL_ADD, line->end.fd, &event) ? -errno : 0;
}

void session_line_accept(int listener)
{
	int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
	struct session_line *line = fd < 0 ? NULL : calloc(1, sizeof(*line));

	if (!line) {
		if (fd >= 0)
			close(fd);
		return;
	}
	line->kind = NEW;
	line->end.fd = fd;
	line->next = lines;
	lines = line;
	line->gone = listen_for(line) != 0;
}

/* Linux would tell of its end again and again. */
static void let_go(struct session_line *line)
{
	line->gone = true;
	(void)epoll_ctl(poller, EPOLL_CTL_DEL, line->end.fd, NULL);
}

static bool is_linked(uint64_t peer)
{
	for (const struct session_line *line = lines; line; line = line->next)
		if (line->kind == LINK && line->end.peer == peer && !line->gone)
			return true;
	return false;
}

static void break_call(const struct session_hello *hello)
{
	for (struct session_line *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == hello->peer &&
		    line->end.thread == hello->thread)
			line->breaks = hello->sequence;
}

/* It has begun to wait, or will before its next look at its priority. */
static void change_priority(const struct session_hello *hello)
{
	for (struct session_line *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == hello->peer &&
		    line->end.thread == hello->thread && !atomic_load(&line->end.over) &&
		    atomic_load(&line->end.done) < hello->sequence) {
			atomic_store(&line->end.priority, hello->priority);
			(void)tact_task_set_priority(line->end.task, hello->priority, NULL);
		}
}

/* From here on only its end is of interest, and what it says is for its task. */
static int leave_to_task(struct session_line *line)
{
	struct epoll_event event = {.events = EPOLLRDHUP, .data = {.ptr = line}};

	return epoll_ctl(poller, EPOLL_CTL_MOD, line->end.fd, &event) ? -errno : 0;
}

static void greet(struct session_line *line)
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

void session_line_heard(struct session_line *line, uint32_t events)
{
	if (line->kind == NEW && events & EPOLLIN)
		greet(line);
	else
		let_go(line);
}

static void drop(struct session_line **place, bool task_is_lost)
{
	struct session_line *line = *place;

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
	for (const struct session_line *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == peer)
			return false;
	return true;
}

/* Whose task, which Tactus has ended, will never say that it is over. */
static bool is_lost(const struct session_line *line)
{
	return tact_task_inquire(line->end.task, NULL) == -TACT_EIDRM;
}

/* True: there is something left that has to be looked at again soon. */
static bool end_calls(struct session_line *line)
{
	if (line->breaks <= atomic_load(&line->end.done))
		line->breaks = 0;
	if (line->gone || line->breaks)
		(void)tact_task_unblock(line->end.task);
	return line->gone || line->breaks;
}

/* Let the thread that it stands for be as urgent as it is itself by those who wait for what it has.
 * The nucleus tells nobody of that, so it is looked at as long as it has something. */
static bool raise_caller(struct session_line *line)
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

bool session_lines_tidy(void)
{
	bool again = false;
	struct session_line **place = &lines;

	while (*place) {
		struct session_line *line = *place;
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

void session_lines_end(void)
{
	for (struct session_line *line = lines; line; line = line->next) {
		(void)shutdown(line->end.fd, SHUT_RDWR);
		if (!line->gone)
			let_go(line);
	}
}

void session_lines_forget(void)
{
	for (const struct session_line *line = lines; line; line = line->next)
		close(line->end.fd);
	lines = NULL;
}
