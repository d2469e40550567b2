/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Barriers, and the exchange of a word. */
#ifndef TACTUS_RTAI_ASM_SYSTEM_H
#define TACTUS_RTAI_ASM_SYSTEM_H

#define mb()                 __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define rmb()                __atomic_thread_fence(__ATOMIC_ACQUIRE)
#define wmb()                __atomic_thread_fence(__ATOMIC_RELEASE)
#define smp_mb()             mb()
#define smp_rmb()            rmb()
#define smp_wmb()            wmb()
#define xchg(pointer, value) __atomic_exchange_n(pointer, value, __ATOMIC_SEQ_CST)

#endif
