/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Whether the program has a real-time half: all parts ask for it, and start.c starts it. */
#define _GNU_SOURCE
#include "posix/state/half.h"

#include <pthread.h>
#include <stdatomic.h>

#include "posix/libc/real.h"
#include "posix/state/high_fd.h"

static struct {
	pthread_mutex_t lock;
	_Atomic int state; /* 0: not yet, 1: started, -1: refused */
	_Atomic bool given_up;
} half = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool posix_started(void)
{
	return atomic_load_explicit(&half.state, memory_order_acquire) > 0;
}

bool posix_startable(void)
{
	return atomic_load_explicit(&half.state, memory_order_acquire) >= 0;
}

bool posix_given_up(void)
{
	return atomic_load_explicit(&half.given_up, memory_order_relaxed);
}

bool posix_half_give_up(void)
{
	return !atomic_exchange(&half.given_up, true);
}

bool posix_half_begin(int (*start)(void))
{
	int state = atomic_load_explicit(&half.state, memory_order_acquire);
	int cancel;

	if (!state) {
		/* No cancellation here: the lock would stay locked. */
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
		posix_real.pthread_mutex_lock(&half.lock);
		state = atomic_load_explicit(&half.state, memory_order_relaxed);
		if (!state) {
			state = start();
			atomic_store_explicit(&half.state, state, memory_order_release);
		}
		posix_real.pthread_mutex_unlock(&half.lock);
		pthread_setcancelstate(cancel, NULL);
	}
	return state > 0;
}

/*
 * A fork's child has none of the parent's real-time CPUs and cannot get any before it execs: its
 * threads are plain Linux threads, with the policies that they request. If the program had no
 * real-time half yet, its child begins like any program.
 */
bool posix_half_forked(void)
{
	const bool begins = !atomic_load_explicit(&half.state, memory_order_relaxed);

	posix_lock_forked(&half.lock);
	if (posix_started())
		atomic_store_explicit(&half.state, -1, memory_order_relaxed);
	if (begins)
		posix_high_fd_prepare();
	return begins;
}
