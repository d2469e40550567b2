/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for descriptors. poll(), select(), epoll_wait() and read() differ in how they name what
 * they wait for, and in how they tell what they found. Where a task waits, and what Linux has to
 * know before anybody waits there, is the same for all.
 *
 * There are two tables of operations. That of a kind of descriptor (struct posix_file_kind) says
 * what is ready, until when, and who tells of it: timerfd and eventfd, which may be resident, and
 * sets of epoll. A descriptor without a kind is Linux's alone: pipes, sockets, signalfd, message
 * queues and all others. One of these, or one that is not quiet, sends the whole wait to Linux.
 * That of a call (struct posix_fd_call_kind) is below.
 */
#ifndef POSIX_FD_WAIT_H
#define POSIX_FD_WAIT_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#include "posix/fd/files.h"

#define POSIX_FILES_MOST 64 /* a wait for more is Linux's */

/* What is asked, as poll() is asked: `files` are written, too. */
struct posix_fd_asked {
	struct pollfd files[POSIX_FILES_MOST];
	nfds_t count;
	/* Of a set of epoll: the wait ends, too, when `*changes` is not `before`. NULL: of none. */
	const _Atomic uint32_t *changes;
	uint32_t before;
	/* Of a set: for each file the mark that it has told of, and before another one of which it
	 * is not ready; or NULL. Written for those found. */
	_Atomic uint64_t *told[POSIX_FILES_MOST];
};

/*
 * A task waits until some of these are ready. Their number, 0 after the timeout, -1 with EINTR;
 * POSIX_IN_LINUX: not here, nothing was done; POSIX_CHANGED: the set has changed. A cancellation
 * point. Context: task.
 */
#define POSIX_IN_LINUX (-2)
#define POSIX_CHANGED  (-3)
int posix_fd_await(struct posix_fd_asked *asked, tact_timeout_t timeout);

struct posix_fd_call;

/* The operations of a call. */
struct posix_fd_call_kind {
	/* The next descriptor that the program named, not below zero; -1: that was all. *place is 0
	 * at first. What leads nowhere ends it: Linux refuses that. */
	int (*next)(struct posix_fd_call *call, unsigned *place);
	/* What is asked of them; `changes` is NULL before. False: it is not served here. With
	 * no file it is a sleep. */
	bool (*take)(struct posix_fd_call *call, struct posix_fd_asked *asked);
	/* Tell the program what was found of how many files: what the call returns. */
	int (*give)(struct posix_fd_call *call, const struct posix_fd_asked *asked, int found);
	/* Linux waits on, with what is left of the timeout. */
	void (*shorten)(struct posix_fd_call *call, tact_time_t begun);
	/* The call ends here, and tells what is left of the timeout; NULL: it does not tell. */
	void (*tell_left)(struct posix_fd_call *call, tact_time_t begun);
	/* The call, by Linux; of one in which handlers may have run. */
	int (*in_linux)(struct posix_fd_call *call);
};

/* A call as the program made it: the first member of what its kind knows of it. */
struct posix_fd_call {
	const struct posix_fd_call_kind *kind;
	bool is_served; /* by a task, in a form that is served here */
	bool has_timeout;
	uint64_t timeout_ns;
};

/* Wait, here or in Linux: what the call returns. A cancellation point. */
int posix_fd_wait(struct posix_fd_call *call);

/* Has Linux to be told of one of its descriptors? */
bool posix_fd_call_has_known(struct posix_fd_call *call);
/* One that is a timer ends the caller's stay in Linux; others do not. */
void posix_fd_call_breaks_stay(struct posix_fd_call *call);

#endif
