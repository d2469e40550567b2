/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counters that several callers change. */
#ifndef TACTUS_RTAI_ASM_ATOMIC_H
#define TACTUS_RTAI_ASM_ATOMIC_H

#include <asm/system.h>

typedef struct {
	int counter;
} atomic_t;

#define ATOMIC_INIT(value) \
	{                  \
		(value)    \
	}
#define atomic_read(atomic)       __atomic_load_n(&(atomic)->counter, __ATOMIC_RELAXED)
#define atomic_set(atomic, value) __atomic_store_n(&(atomic)->counter, value, __ATOMIC_RELAXED)
#define atomic_add(value, atomic) \
	((void)__atomic_add_fetch(&(atomic)->counter, value, __ATOMIC_SEQ_CST))
#define atomic_sub(value, atomic) \
	((void)__atomic_sub_fetch(&(atomic)->counter, value, __ATOMIC_SEQ_CST))
#define atomic_inc(atomic)          atomic_add(1, atomic)
#define atomic_dec(atomic)          atomic_sub(1, atomic)
#define atomic_inc_return(atomic)   __atomic_add_fetch(&(atomic)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_dec_return(atomic)   __atomic_sub_fetch(&(atomic)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_dec_and_test(atomic) (atomic_dec_return(atomic) == 0)

#endif
