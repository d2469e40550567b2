/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The layout of the C library's objects, from which it follows whether an object is private to the
 * process and plain enough for tasks to wait for in primary mode. The layout is part of glibc's
 * binary interface on x86-64 (2.25 and later for conditions). Source: glibc, struct_mutex.h,
 * thread-shared-types.h, internaltypes.h, the manual's semaphore.
 */
#ifndef POSIX_LAYOUT_H
#define POSIX_LAYOUT_H

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#define POSIX_MUTEX_TYPE       3
#define POSIX_MUTEX_ROBUST     16
#define POSIX_MUTEX_INHERIT    32
#define POSIX_MUTEX_PROTECT    64
#define POSIX_MUTEX_SHARED     128
#define POSIX_COND_SHARED      1u
#define POSIX_COND_MONOTONIC   2u
#define POSIX_SEM_VALUE_MASK   UINT32_MAX
#define POSIX_SEM_PRIVATE_BYTE 8

_Static_assert(sizeof(pthread_mutex_t) == 40, "mutex of glibc, x86-64");
_Static_assert(sizeof(pthread_cond_t) == 48, "condition of glibc, x86-64");
_Static_assert(sizeof(sem_t) == 32, "semaphore of glibc, x86-64");

/* The first fields of glibc's thread attributes. Only the flags tell which of policy and priority
 * the program has set. */
#define POSIX_ATTR_PRIORITY_SET 0x20
#define POSIX_ATTR_POLICY_SET   0x40

struct posix_attr_head {
	struct sched_param param;
	int policy;
	int flags;
};

static inline int posix_attr_flags(const pthread_attr_t *attributes)
{
	struct posix_attr_head head;

	memcpy(&head, attributes, sizeof(head));
	return head.flags;
}

static inline int posix_mutex_kind(const pthread_mutex_t *mutex)
{
	return __atomic_load_n(&mutex->__data.__kind, __ATOMIC_RELAXED);
}

/* The owner, as far as is known. 0: there is none, or it is in its first instructions as the
 * owner. */
static inline pid_t posix_mutex_owner(const pthread_mutex_t *mutex)
{
	return __atomic_load_n(&mutex->__data.__owner, __ATOMIC_RELAXED);
}

/* The caller owns it. Will it be free after one unlock? */
static inline bool posix_mutex_is_last_unlock(const pthread_mutex_t *mutex)
{
	return (posix_mutex_kind(mutex) & POSIX_MUTEX_TYPE) != PTHREAD_MUTEX_RECURSIVE ||
	       mutex->__data.__count == 1;
}

/*
 * Can tasks wait for it in primary mode? The word of a mutex with a ceiling is kept here. If such a
 * mutex is robust or shared, the kernel and other programs would have to use this word, and cannot.
 */
static inline bool posix_mutex_is_served(int kind)
{
	return !(kind & POSIX_MUTEX_PROTECT && kind & (POSIX_MUTEX_ROBUST | POSIX_MUTEX_SHARED));
}

static inline bool posix_cond_is_shared(const pthread_cond_t *cond)
{
	return __atomic_load_n(&cond->__data.__wrefs, __ATOMIC_RELAXED) & POSIX_COND_SHARED;
}

static inline clockid_t posix_cond_clock(const pthread_cond_t *cond)
{
	return __atomic_load_n(&cond->__data.__wrefs, __ATOMIC_RELAXED) & POSIX_COND_MONOTONIC
		       ? CLOCK_MONOTONIC
		       : CLOCK_REALTIME;
}

static inline bool posix_sem_is_shared(const sem_t *sem)
{
	int shared;

	memcpy(&shared, (const char *)sem + POSIX_SEM_PRIVATE_BYTE, sizeof(shared));
	return shared;
}

/* The value is in the low half, the number of Linux's sleepers in the high one. */
static inline bool posix_sem_take(sem_t *sem)
{
	_Atomic uint64_t *word = (_Atomic uint64_t *)(void *)sem;
	uint64_t now = atomic_load_explicit(word, memory_order_relaxed);

	while (now & POSIX_SEM_VALUE_MASK)
		if (atomic_compare_exchange_weak_explicit(word, &now, now - 1, memory_order_seq_cst,
							  memory_order_relaxed))
			return true;
	return false;
}

/* Add a unit; *former: the word before. False: there is no room for one more. */
static inline bool posix_sem_give(sem_t *sem, uint64_t *former)
{
	_Atomic uint64_t *word = (_Atomic uint64_t *)(void *)sem;

	*former = atomic_load_explicit(word, memory_order_relaxed);
	do
		if ((*former & POSIX_SEM_VALUE_MASK) >= SEM_VALUE_MAX)
			return false;
	while (!atomic_compare_exchange_weak_explicit(word, former, *former + 1,
						      memory_order_seq_cst, memory_order_relaxed));
	return true;
}

/* Count one sleeper more (1) or less (-1): the C library wakes them when it posts. */
static inline void posix_sem_count(sem_t *sem, int more)
{
	atomic_fetch_add_explicit((_Atomic uint64_t *)(void *)sem, (uint64_t)(int64_t)more << 32,
				  memory_order_seq_cst);
}

#endif
