/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Connections that came in. Each is new until its greeting says what it is: a link, which shows
 * that a process is alive, or the calls of one of its threads, which a task serves. Any other
 * greeting is a single message.
 *
 * If a caller has gone, or wants its call broken, the task that serves it is unblocked, for this
 * task waits in the nucleus in its place. The task may not have begun to wait, so this is repeated
 * until it has finished that call.
 *
 * One connection is kept in reserve, with a descriptor, for the case that there is no other. A
 * single message that comes by it is heard. A connection that is to stay is refused, so that the
 * other side does not take the failure for the end of this process.
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

struct session_connection {
	enum line_kind kind;
	bool gone;       /* its other side */
	uint64_t breaks; /* the call to break; 0: none */
	uint64_t raises; /* the call to give this priority; 0: none */
	uint32_t priority;
	struct session_end end;
	struct session_connection *next;
};

static struct session_connection *lines;
/* Never freed: one for each call that was under way when Tactus stopped. */
static struct session_connection *lost;
static int poller;

static struct session_connection reserve;
static bool reserve_used;

static void keep_spare(void)
{
	if (!reserve_used)
		session_spare_keep(poller);
}

void session_connections_begin(int watched_by)
{
	poller = watched_by;
	keep_spare();
}

static int listen_for(struct session_connection *line)
{
	struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data = {.ptr = line}};

	return epoll_ctl(poller, EPOLL_CTL_ADD, line->end.fd, &event) ? -errno : 0;
}

static struct session_connection *line_for(bool wants)
{
	struct session_connection *line = wants ? NULL : calloc(1, sizeof(*line));

	if (line || reserve_used)
		return line;
	reserve_used = true;
	reserve = (struct session_connection){.kind = NEW};
	return &reserve;
}

bool session_connection_accept(int listener)
{
	bool wants;
	int fd = session_accept(listener, &wants);
	struct session_connection *line = fd < 0 ? NULL : line_for(wants);

	keep_spare();
	if (!line) {
		if (fd >= 0)
			close(fd);
		return fd >= 0 || !wants;
	}
	line->kind = NEW;
	line->end.fd = fd;
	line->next = lines;
	lines = line;
	line->gone = listen_for(line) != 0;
	return true;
}

/* Otherwise Linux would report its end again and again. */
static void release(struct session_connection *line)
{
	line->gone = true;
	atomic_store(&line->end.gone, true);
	(void)epoll_ctl(poller, EPOLL_CTL_DEL, line->end.fd, NULL);
}

static bool is_linked(uint64_t peer)
{
	for (const struct session_connection *line = lines; line; line = line->next)
		if (line->kind == LINK && line->end.peer == peer && !line->gone)
			return true;
	return false;
}

static void break_call(const struct session_hello *hello)
{
	for (struct session_connection *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == hello->peer &&
		    line->end.thread == hello->thread)
			line->breaks = hello->sequence;
}

static void change_priority(const struct session_hello *hello)
{
	for (struct session_connection *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == hello->peer &&
		    line->end.thread == hello->thread) {
			line->raises = hello->sequence;
			line->priority = hello->priority;
		}
}

/* From here on this thread hears only its end; its task receives what comes by it. */
static int leave_to_task(struct session_connection *line)
{
	struct epoll_event event = {.events = EPOLLRDHUP, .data = {.ptr = line}};

	return epoll_ctl(poller, EPOLL_CTL_MOD, line->end.fd, &event) ? -errno : 0;
}

/* Keep a connection. 0; -ENOMEM, -EAGAIN: it is to be refused; other errors: this process serves no
 * calls. */
static int keep(struct session_connection *line, enum session_kind kind,
		const struct session_files *files)
{
	int error = line == &reserve ? -ENOMEM : leave_to_task(line);

	if (!error && kind == SESSION_LINK)
		error = session_welcome(line->end.fd, SESSION_WELCOME, NULL);
	else if (!error)
		error = session_serve(&line->end, files);
	if (!error)
		line->kind = kind == SESSION_LINK ? LINK : CALLS;
	return error;
}

static void hear_once(const struct session_hello *hello)
{
	if (hello->kind == SESSION_BREAK)
		break_call(hello);
	else if (hello->kind == SESSION_PRIORITY)
		change_priority(hello);
	else if (hello->kind == SESSION_RAISE)
		session_raise(hello->thread, hello->peer, hello->priority);
}

static bool is_to_stay(const struct session_hello *hello)
{
	return hello->kind == SESSION_LINK ||
	       (hello->kind == SESSION_CALLS && is_linked(hello->peer));
}

static void greet(struct session_connection *line)
{
	struct session_hello hello;
	struct session_files files;
	int error = session_receive_hello(line->end.fd, &hello, &files);
	bool stays;

	if (error) {
		release(line);
		return;
	}
	line->end.peer = hello.peer;
	line->end.thread = hello.thread;
	line->end.pid = hello.pid;
	stays = is_to_stay(&hello);
	if (stays)
		error = keep(line, hello.kind, &files);
	else
		hear_once(&hello);
	session_files_close(&files);
	if (stays && !error)
		return;
	if (error == -ENOMEM || error == -EAGAIN)
		(void)session_welcome(line->end.fd, SESSION_REFUSED, NULL);
	release(line);
}

void session_connection_heard(struct session_connection *line, uint32_t events)
{
	if (line->kind == NEW && events & EPOLLIN)
		greet(line);
	else
		release(line);
}

static void drop(struct session_connection **place, bool task_is_lost)
{
	struct session_connection *line = *place;

	*place = line->next;
	/* If a vfork's child has a copy of the descriptor, Linux would still report it. */
	(void)epoll_ctl(poller, EPOLL_CTL_DEL, line->end.fd, NULL);
	close(line->end.fd);
	if (line == &reserve) {
		reserve_used = false;
		keep_spare();
		return;
	}
	/* The thread of a lost task may still be about to end, and nothing reports when it has. */
	if (task_is_lost) {
		line->next = lost;
		lost = line;
	} else {
		if (line->kind == CALLS)
			session_end_free(&line->end);
		free(line);
	}
}

/* Has the peer gone, with all of its calls? */
static bool is_over(uint64_t peer)
{
	for (const struct session_connection *line = lines; line; line = line->next)
		if (line->kind == CALLS && line->end.peer == peer)
			return false;
	return true;
}

/* Tactus has ended its task, which will never say that it is over. */
static bool is_lost(const struct session_connection *line)
{
	return tact_task_inquire(line->end.task, NULL) == -TACT_EIDRM;
}

/* True: it has to be looked at again soon. */
static bool end_calls(struct session_connection *line)
{
	const uint64_t done = atomic_load(&line->end.done);

	if (line->breaks <= done)
		line->breaks = 0;
	if (line->raises <= done || session_change_served(&line->end, line->raises, line->priority))
		line->raises = 0;
	if (line->gone)
		(void)tact_task_unblock(line->end.task, -TACT_EINTR);
	else if (line->breaks)
		(void)session_break_served(&line->end, line->breaks);
	return line->gone || line->breaks || line->raises;
}

static void tell_left(uint64_t peer)
{
	for (uint32_t i = 0; i < SESSION_SKINS; i++) {
		const struct session_skin *skin = session_skin_of(i);

		if (skin && skin->left)
			skin->left(peer);
	}
}

bool session_connections_tidy(void)
{
	bool again = false;
	struct session_connection **place = &lines;

	while (*place) {
		struct session_connection *line = *place;
		bool serves = line->kind == CALLS && !atomic_load(&line->end.over);
		bool task_is_lost = serves && line->gone && is_lost(line);

		if (serves && !task_is_lost) {
			again |= end_calls(line);
			if (!line->gone)
				again |= session_raise_caller(&line->end);
			place = &line->next;
		} else if (!line->gone && line->kind != CALLS) {
			place = &line->next;
		} else if (line->kind == LINK && !is_over(line->end.peer)) {
			again = true;
			place = &line->next;
		} else {
			uint64_t peer = line->kind == LINK ? line->end.peer : 0;

			drop(place, task_is_lost);
			if (peer)
				tell_left(peer);
		}
	}
	return again;
}

void session_connections_end(void)
{
	for (struct session_connection *line = lines; line; line = line->next) {
		(void)shutdown(line->end.fd, SHUT_RDWR);
		if (!line->gone)
			release(line);
	}
}

void session_connections_forget(void)
{
	for (const struct session_connection *line = lines; line; line = line->next)
		close(line->end.fd);
	lines = NULL;
	session_spare_forget();
	reserve_used = false;
}
