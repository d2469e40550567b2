/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Barriers that are private to the program. All threads meet here, also Linux threads. The number
 * of threads that have arrived and the number of the round are one word of 64 bits, in the place
 * where the C library keeps them. So a thread of the next round is never taken for one of the
 * present round. Source: POSIX.1-2017, pthread_barrier_wait(), pthread_barrier_destroy().
 */
#define _GNU_SOURCE
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "posix/libc/futex.h"
#include "posix/libc/real.h"
#include "posix/park/wait.h"
#include "posix/state/record.h"

/* Parts of the word `inside`, whose low half counts the threads that may still use the barrier. */
#define SLEEPER   (1u << 16) /* one of them sleeps in Linux; up to 32767 */
#define DESTROYED (1u << 31) /* a thread waits until all have left */

struct barrier {
	union {
		_Atomic uint64_t both;
		struct {
			_Atomic uint32_t arrived;
			_Atomic uint32_t round;
		};
	};
	uint32_t count;
	int shared;
	_Atomic uint32_t inside;
};

_Static_assert(sizeof(struct barrier) <= sizeof(pthread_barrier_t), "barrier of glibc");

/* True for the last thread of its round, which opens the barrier. Both numbers change at once. */
static bool arrive(struct barrier *barrier, uint32_t *round)
{
	uint64_t now = atomic_load_explicit(&barrier->both, memory_order_relaxed);
	uint64_t next;

	do {
		uint32_t arrived = (uint32_t)now + 1;

		*round = (uint32_t)(now >> 32);
		next = arrived < barrier->count ? (uint64_t)*round << 32 | arrived
						: (uint64_t)(*round + 1) << 32;
	} while (!atomic_compare_exchange_weak_explicit(
		&barrier->both, &now, next, memory_order_seq_cst, memory_order_relaxed));
	return !(uint32_t)next;
}

static bool is_open(struct barrier *barrier, uint32_t round)
{
	return atomic_load_explicit(&barrier->round, memory_order_seq_cst) != round;
}

static void sleep_in_linux(struct barrier *barrier, uint32_t round)
{
	/* Dekker's pattern, with the thread that opens the barrier. */
	atomic_fetch_add(&barrier->inside, SLEEPER);
	if (!is_open(barrier, round))
		(void)posix_futex_wait(&barrier->round, round, CLOCK_MONOTONIC, NULL);
	atomic_fetch_sub(&barrier->inside, SLEEPER);
}

static void pass(struct barrier *barrier, uint32_t round)
{
	bool is_task = posix_is_task();

	while (!is_open(barrier, round)) {
		if (!is_task || !posix_wait_join(&barrier->round)) {
			sleep_in_linux(barrier, round);
			continue;
		}
		if (is_open(barrier, round))
			(void)posix_wait_leave();
		else
			(void)posix_wait_sleep(TACT_FOREVER, POSIX_WAIT_STEADY, NULL);
	}
}

static void leave(struct barrier *barrier)
{
	if (atomic_fetch_sub(&barrier->inside, 1) == (DESTROYED | 1))
		posix_futex_wake(&barrier->inside, INT_MAX);
}

int pthread_barrier_wait(pthread_barrier_t *object)
{
	struct barrier *barrier = (struct barrier *)(void *)object;
	uint32_t round;
	bool last;

	if (barrier->shared)
		return posix_real.pthread_barrier_wait(object);
	atomic_fetch_add(&barrier->inside, 1);
	last = arrive(barrier, &round);
	if (!last) {
		pass(barrier, round);
	} else if (barrier->count > 1) {
		(void)posix_wait_wake(&barrier->round, UINT_MAX);
		if (atomic_load(&barrier->inside) & ~DESTROYED & -SLEEPER)
			posix_futex_wake(&barrier->round, INT_MAX);
	}
	leave(barrier);
	return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

/* Like the C library, this waits for threads that were let through and have not left yet. */
int pthread_barrier_destroy(pthread_barrier_t *object)
{
	struct barrier *barrier = (struct barrier *)(void *)object;
	uint32_t inside;

	if (barrier->shared)
		return posix_real.pthread_barrier_destroy(object);
	inside = atomic_fetch_or(&barrier->inside, DESTROYED) | DESTROYED;
	while (inside != DESTROYED) {
		(void)posix_futex_wait(&barrier->inside, inside, CLOCK_MONOTONIC, NULL);
		inside = atomic_load(&barrier->inside);
	}
	return 0;
}
