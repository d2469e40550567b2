/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Recognises memory that is not a mutex, condition or semaphore, as far as the layout of the C
 * library allows: it contains values that no function or initialiser of the C library leaves there.
 * Cobalt's library recognises its objects by a magic word, and returns EINVAL for others. Source:
 * glibc, nptl.
 */
#ifndef COBALT_SPOILT_H
#define COBALT_SPOILT_H

#include <pthread.h>

#include "posix/cobalt_port.h"

/* All kinds that attributes can make; a destroyed mutex has none of them. */
#define COBALT_MUTEX_ELISION (256 | 512)
#define COBALT_MUTEX_KINDS                                                                   \
	(POSIX_MUTEX_TYPE | POSIX_MUTEX_ROBUST | POSIX_MUTEX_INHERIT | POSIX_MUTEX_PROTECT | \
	 POSIX_MUTEX_SHARED | COBALT_MUTEX_ELISION)
#define COBALT_COND_DESTROYED 4u
#define COBALT_SEM_SHARED     128u
#define COBALT_COND_FLAGS     7u

/* Only a robust mutex that is owned is in a list. */
static inline bool cobalt_mutex_is_spoilt(const pthread_mutex_t *mutex)
{
	const int kind = posix_mutex_kind(mutex);

	return kind & ~COBALT_MUTEX_KINDS ||
	       (!(kind & POSIX_MUTEX_ROBUST) &&
		(mutex->__data.__list.__prev || mutex->__data.__list.__next));
}

/*
 * Do the counters contradict each other? Each thread that is counted has waited once, and is
 * signalled once or leaves once. The C library's own rounding of both counters is below 4.
 */
static inline bool cobalt_cond_is_spoilt(const pthread_cond_t *cond)
{
	/* The lowest bit says which of two groups waits. */
	const uint64_t waited = cond->__data.__wseq.__value64 >> 1;
	const uint64_t most = 4 * waited + 3;
	const unsigned int *signals = cond->__data.__g_signals;
	const unsigned int *refs = cond->__data.__g_refs;

	return cond->__data.__wrefs & COBALT_COND_DESTROYED ||
	       cond->__data.__wrefs / (COBALT_COND_FLAGS + 1) > most ||
	       cond->__data.__g1_start.__value64 >> 1 > waited || signals[0] > most ||
	       signals[1] > most || refs[0] > most || refs[1] > most;
}

static inline bool cobalt_sem_is_spoilt(const sem_t *sem)
{
	uint32_t value, shared;

	memcpy(&value, sem, sizeof(value));
	memcpy(&shared, (const char *)sem + POSIX_SEM_PRIVATE_BYTE, sizeof(shared));
	return value > SEM_VALUE_MAX || (shared && shared != COBALT_SEM_SHARED);
}

#endif
