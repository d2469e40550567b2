/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for descriptors. poll(), select(), epoll_wait() and read() differ in how they name the
 * descriptors, and in how they report what was found. Where a task waits, and what Linux must have
 * before a thread waits there, is the same for all of them.
 *
 * There are two tables of operations. The table of a kind of descriptor (struct posix_file_kind)
 * says what is ready, when it will be ready, and how a change is notified. Kinds are timerfd and
 * eventfd, which may be resident, and sets of epoll. A descriptor without a kind is always in
 * Linux: pipes, sockets, signalfd, message queues and all others. If a wait names one of these, or
 * one that is not quiet, the whole wait is done by Linux. The table of a call (struct
 * posix_fd_call_kind) is below.
 */
#ifndef POSIX_FD_WAIT_H
#define POSIX_FD_WAIT_H

#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/tact.h>

#include "posix/fd/files.h"

#define POSIX_FILES_MOST 64 /* a wait for more is done by Linux */

/* What a call waits for, in the form of poll(). `files` are also written. */
struct posix_fd_asked {
	struct pollfd files[POSIX_FILES_MOST];
	nfds_t count;
	/* For a set of epoll: the wait also ends when `*changes` is not `before`. NULL: no set. */
	const _Atomic uint32_t *changes;
	uint32_t before;
	/* For a set: the mark of each file, or NULL if it has none. A file with the mark that it
	 * has already reported is not ready. Written for the files that are found. */
	_Atomic uint64_t *told[POSIX_FILES_MOST];
};

/*
 * Wait until some of these are ready. Returns their number; 0 after the timeout; -1 with EINTR;
 * POSIX_IN_LINUX: the wait cannot be done here, and nothing was changed; POSIX_CHANGED: the set has
 * changed. A cancellation point. Context: task.
 */
#define POSIX_IN_LINUX (-2)
#define POSIX_CHANGED  (-3)
int posix_fd_await(struct posix_fd_asked *asked, tact_timeout_t timeout);

struct posix_fd_call;

/* The operations of a call. */
struct posix_fd_call_kind {
	/* The next descriptor that the program named, not below zero; -1: there are no more. *place
	 * is 0 at first. An invalid address ends the list, because Linux refuses the call. */
	int (*next)(struct posix_fd_call *call, unsigned *place);
	/* Fill in what the call waits for; `changes` is NULL before. False: the call is not served
	 * here. A call without files is a sleep. */
	bool (*take)(struct posix_fd_call *call, struct posix_fd_asked *asked);
	/* Report to the program what was found, in so many files. Returns what the call returns. */
	int (*give)(struct posix_fd_call *call, const struct posix_fd_asked *asked, int found);
	/* Linux continues the wait, with what is left of the timeout. */
	void (*shorten)(struct posix_fd_call *call, tact_time_t begun);
	/*
	 * The call ends here, and reports what is left of the timeout; NULL: it does not report it.
	 */
	void (*tell_left)(struct posix_fd_call *call, tact_time_t begun);
	/* Make the call in Linux. Signal handlers may already have run in the call. */
	int (*in_linux)(struct posix_fd_call *call);
};

/* A call as the program made it. The first member of the record of each kind of call. */
struct posix_fd_call {
	const struct posix_fd_call_kind *kind;
	bool is_served; /* made by a task, in a form that is served here */
	bool has_timeout;
	uint64_t timeout_ns;
};

/* Wait, here or in Linux. Returns what the call returns. A cancellation point. */
int posix_fd_wait(struct posix_fd_call *call);

/* Must Linux be told of one of the call's descriptors? */
bool posix_fd_call_has_known(struct posix_fd_call *call);
/* If one of its descriptors is a timerfd, end the caller's stay in Linux. */
void posix_fd_call_breaks_stay(struct posix_fd_call *call);

#endif
