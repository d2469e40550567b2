/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * select() for real-time sockets, alone or among files of Linux. For real-time sockets alone, a
 * task waits in primary mode. With other files it waits in Linux, where an additional descriptor
 * reports a change of any socket.
 */
#include "rtipc.h"

#include <pthread.h>
#include <sys/select.h>
#include <sys/syscall.h>

#define AGAIN_NS 1000000u

struct sets {
	fd_set read, write, except;
	int ready;   /* how many are ready */
	bool remote; /* a remote socket has no room, and will not report when it has */
};

static bool has(const fd_set *set, int fd)
{
	return set && FD_ISSET(fd, set);
}

/* If there is no other end, a send fails at once, and does not wait. */
static bool is_writable(const struct rtipc_socket *socket, bool *remote)
{
	int peer = atomic_load(&socket->peer);
	const struct rtipc_socket *target = peer < 0 ? NULL : rtipc_at(socket->protocol, peer);

	if (target)
		return socket->protocol->writable(target);
	if (peer < 0 || rtipc_writable_remote(socket->protocol, peer))
		return true;
	*remote = true;
	return false;
}

/* When to look again at the latest. */
static tact_timeout_t until_look(tact_timeout_t until, const struct sets *found)
{
	uint64_t soon = tact_now().ns + AGAIN_NS;

	if (!found->remote || (until.kind != TACT_TIMEOUT_FOREVER && until.ns < soon))
		return until;
	return tact_at((tact_time_t){soon});
}

static bool has_passed(tact_timeout_t until)
{
	return until.kind != TACT_TIMEOUT_FOREVER && tact_now().ns >= until.ns;
}

/* The sockets that are ready now; the bits of other files are not set. */
static struct sets find_ready(int count, const fd_set *read, const fd_set *write)
{
	struct sets found = {.ready = 0};

	for (int fd = 0; fd < count; fd++) {
		const struct rtipc_socket *socket =
			has(read, fd) || has(write, fd) ? rtipc_of(fd) : NULL;

		if (!socket)
			continue;
		if (has(read, fd) && atomic_load(&socket->state) == RTIPC_BOUND &&
		    socket->protocol->readable(socket)) {
			FD_SET(fd, &found.read);
			found.ready++;
		}
		if (has(write, fd) && is_writable(socket, &found.remote)) {
			FD_SET(fd, &found.write);
			found.ready++;
		}
	}
	return found;
}

/* How many of the files are real-time sockets. others: receives the number of the other files. */
static int count_sockets(int count, const fd_set *read, const fd_set *write, const fd_set *except,
			 int *others)
{
	int sockets = 0;

	*others = 0;
	for (int fd = 0; fd < count; fd++) {
		if (!has(read, fd) && !has(write, fd) && !has(except, fd))
			continue;
		if (rtipc_of(fd))
			sockets++;
		else
			++*others;
	}
	return sockets;
}

static void give(int count, fd_set *to, const fd_set *found)
{
	for (int fd = 0; to && fd < count; fd++)
		if (!FD_ISSET(fd, found))
			FD_CLR(fd, to);
}

static void take_out_sockets(int count, fd_set *set)
{
	for (int fd = 0; fd < count; fd++)
		if (FD_ISSET(fd, set) && rtipc_of(fd))
			FD_CLR(fd, set);
}

static struct timeval left(tact_timeout_t until)
{
	uint64_t now = tact_now().ns;
	struct timespec rest = posix_timespec(until.ns > now ? until.ns - now : 0);

	return (struct timeval){rest.tv_sec, rest.tv_nsec / 1000};
}

/* One wait for both. Returns the result of Linux, with Linux's sets in `files`. */
static int wait_for_both(int count, struct sets *files, int watch, tact_timeout_t until, bool now)
{
	struct timeval time = now ? (struct timeval){0} : left(until);
	int result;

	FD_SET(watch, &files->read);
	result = posix_real.select(watch >= count ? watch + 1 : count, &files->read, &files->write,
				   &files->except,
				   now || until.kind != TACT_TIMEOUT_FOREVER ? &time : NULL);
	if (result > 0 && FD_ISSET(watch, &files->read)) {
		uint64_t told;

		(void)posix_real.syscall(SYS_read, watch, &told, sizeof(told));
		FD_CLR(watch, &files->read);
		result--;
	}
	return result;
}

static void join(int count, fd_set *to, const fd_set *other)
{
	for (int fd = 0; fd < count; fd++)
		if (FD_ISSET(fd, other))
			FD_SET(fd, to);
}

static struct sets copy(const fd_set *read, const fd_set *write, const fd_set *except)
{
	struct sets sets = {.ready = 0};

	sets.read = read ? *read : sets.read;
	sets.write = write ? *write : sets.write;
	sets.except = except ? *except : sets.except;
	return sets;
}

/* watch: the descriptor that reports changes of the sockets. */
static int select_watched(int count, fd_set *read, fd_set *write, fd_set *except,
			  tact_timeout_t until, int watch)
{
	struct sets wanted = copy(read, write, except);
	struct sets found;
	int result;

	take_out_sockets(count, &wanted.read);
	take_out_sockets(count, &wanted.write);
	take_out_sockets(count, &wanted.except);
	for (;;) {
		struct sets files = wanted;

		found = find_ready(count, read, write);
		result =
			wait_for_both(count, &files, watch, until_look(until, &found), found.ready);
		if (result < 0)
			return -1;
		join(count, &found.read, &files.read);
		join(count, &found.write, &files.write);
		found.except = files.except;
		found.ready += result;
		if (found.ready || has_passed(until))
			break;
	}
	give(count, read, &found.read);
	give(count, write, &found.write);
	give(count, except, &found.except);
	return found.ready;
}

static void unwatch(void *watch)
{
	rtipc_unwatch(watch);
}

static int select_mixed(int count, fd_set *read, fd_set *write, fd_set *except,
			tact_timeout_t until)
{
	struct rtipc_watch *watch = rtipc_watch();
	int result;

	if (!watch)
		return posix_fail(ENOMEM);
	/* Its wait may end by a cancellation. */
	pthread_cleanup_push(unwatch, watch);
	result = select_watched(count, read, write, except, until, watch->fd);
	pthread_cleanup_pop(1);
	return result;
}

static int select_sockets(int count, fd_set *read, fd_set *write, fd_set *except,
			  tact_timeout_t until)
{
	struct sets found;

	for (;;) {
		uint32_t seen = rtipc_seen(&rtipc_any);
		int error;

		found = find_ready(count, read, write);
		if (found.ready)
			break;
		error = rtipc_await(&rtipc_any, seen, until_look(until, &found));
		if (error == -ETIMEDOUT && has_passed(until))
			break;
		if (error && error != -ETIMEDOUT)
			return posix_fail(-error);
	}
	give(count, read, &found.read);
	give(count, write, &found.write);
	give(count, except, &found.except);
	return found.ready;
}

int __wrap_select(int count, fd_set *read, fd_set *write, fd_set *except, struct timeval *timeout)
{
	tact_timeout_t until = TACT_FOREVER;
	struct timeval time;
	int others = 0;
	int result;

	if (timeout && !posix_safe_copy(&time, timeout, sizeof(time)))
		return posix_fail(EFAULT);
	if (!rtipc_used() || count < 0 || count > FD_SETSIZE ||
	    !count_sockets(count, read, write, except, &others))
		return select(count, read, write, except, timeout);
	if (timeout && (time.tv_sec < 0 || time.tv_usec < 0))
		return posix_fail(EINVAL);
	if (timeout)
		until = tact_at(tact_time_add(tact_now(),
					      posix_ns(&(struct timespec){.tv_sec = time.tv_sec}) +
						      TACT_US((uint64_t)time.tv_usec)));
	result = others ? select_mixed(count, read, write, except, until)
			: select_sockets(count, read, write, except, until);
	if (timeout && result >= 0)
		*timeout = left(until);
	return result;
}
