/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A lock of Linux for calls that must be async-signal-safe (write(), close(), timerfd_settime()).
 * While a thread holds it, no handler runs in this thread, because it could want the lock again and
 * wait for itself; and the thread cannot be cancelled. The signal mask is changed twice, so the
 * lock is only for operations that call Linux anyway.
 */
#ifndef POSIX_GUARD_H
#define POSIX_GUARD_H

#include <pthread.h>
#include <signal.h>

#include "posix/libc/real.h"

struct posix_guard {
	pthread_mutex_t mutex;
	/* Of the thread that holds it: */
	sigset_t former;
	int cancel;
};

#define POSIX_GUARD_FREE                           \
	{                                          \
		.mutex = PTHREAD_MUTEX_INITIALIZER \
	}

static inline void posix_guard_lock(struct posix_guard *guard)
{
	sigset_t all, former;
	int cancel;

	sigfillset(&all);
	posix_real.sigprocmask(SIG_SETMASK, &all, &former);
	/* The C library leaves the signal of cancellation open, for threads that may be cancelled
	 * anywhere. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	posix_real.pthread_mutex_lock(&guard->mutex);
	guard->former = former;
	guard->cancel = cancel;
}

static inline void posix_guard_unlock(struct posix_guard *guard)
{
	const sigset_t former = guard->former;
	const int cancel = guard->cancel;

	posix_real.pthread_mutex_unlock(&guard->mutex);
	pthread_setcancelstate(cancel, NULL);
	posix_real.sigprocmask(SIG_SETMASK, &former, NULL);
}

/* In a fork's child: the thread that held it does not exist there. */
static inline void posix_guard_forked(struct posix_guard *guard)
{
	posix_lock_forked(&guard->mutex);
}

#endif
