/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters that several threads change, and barriers, under the names of Xenomai. The macros that
 * change a counter are also full barriers. To read a counter, or to set it, is no barrier.
 *
 * Source: Xenomai 3, <boilerplate/atomic.h>.
 */
#ifndef BOILERPLATE_ATOMIC_H
#define BOILERPLATE_ATOMIC_H

#include <xeno_config.h>

typedef struct {
	int v;
} atomic_t;

typedef struct {
	long v;
} atomic_long_t;

#define ATOMIC_INIT(n) \
	{              \
		(n)    \
	}

static inline int atomic_read(const atomic_t *counter)
{
	return __atomic_load_n(&counter->v, __ATOMIC_RELAXED);
}

static inline void atomic_set(atomic_t *counter, long v)
{
	__atomic_store_n(&counter->v, (int)v, __ATOMIC_RELAXED);
}

static inline long atomic_long_read(const atomic_long_t *counter)
{
	return __atomic_load_n(&counter->v, __ATOMIC_RELAXED);
}

static inline void atomic_long_set(atomic_long_t *counter, long v)
{
	__atomic_store_n(&counter->v, v, __ATOMIC_RELAXED);
}

/* For counters of both types. atomic_cmpxchg() returns the value before the call, the others return
 * the value after it. */
#define atomic_cmpxchg(counter, before, after) \
	__sync_val_compare_and_swap(&(counter)->v, before, after)
#define atomic_sub_fetch(counter, n) __atomic_sub_fetch(&(counter)->v, (n), __ATOMIC_SEQ_CST)
#define atomic_add_fetch(counter, n) __atomic_add_fetch(&(counter)->v, (n), __ATOMIC_SEQ_CST)

#define ACCESS_ONCE(x) (*(volatile __typeof__(x) *)&(x))

#define compiler_barrier() __asm__ __volatile__("" ::: "memory")

#define smp_mb()  __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)

#ifndef cpu_relax
#define cpu_relax() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#endif

#endif
