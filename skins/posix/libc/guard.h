/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A lock of Linux that async-signal-safe calls take (write(), close(), timerfd_settime()): while it
 * is held no handler runs in its thread, which could want it again and wait for itself, and nobody
 * ends it. Only for what goes to Linux anyway: it changes the signal mask, and changes it back.
 */
#ifndef POSIX_GUARD_H
#define POSIX_GUARD_H

#include <pthread.h>
#include <signal.h>

#include "posix/libc/real.h"

struct posix_guard {
	pthread_mutex_t mutex;
	/* Of who holds it: */
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
	/* That signal the C library keeps open, for threads that may be cancelled anywhere. */
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

/* In a fork's child: whoever held it is not there. */
static inline void posix_guard_forked(struct posix_guard *guard)
{
	posix_lock_forked(&guard->mutex);
}

#endif
