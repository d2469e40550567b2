/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Barriers and atomic operations under the names that Xenomai's programs have for them. */
#ifndef BOILERPLATE_ATOMIC_H
#define BOILERPLATE_ATOMIC_H

#define compiler_barrier() __asm__ __volatile__("" ::: "memory")

#define smp_mb()  __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb() __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb() __atomic_thread_fence(__ATOMIC_RELEASE)

#define atomic_sub_fetch(v, n)       __atomic_sub_fetch(&(v), (n), __ATOMIC_SEQ_CST)
#define atomic_add_fetch(v, n)       __atomic_add_fetch(&(v), (n), __ATOMIC_SEQ_CST)
#define atomic_cmp_swap(ptr, old, n) __sync_val_compare_and_swap((ptr), (old), (n))

#endif
