/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Groups of bits, and waits for bits that are set or clear.
 */
#ifndef TACTUS_RTAI_BITS_H
#define TACTUS_RTAI_BITS_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define BITS_ERR    RTE_OBJINV
#define BITS_TIMOUT RTE_TIMOUT

/* Tests: of one mask, of two masks that both have to be met, and of two of which one is enough. */
#define ALL_SET 0
#define ANY_SET 1
#define ALL_CLR 2
#define ANY_CLR 3

#define ALL_SET_AND_ANY_SET 4
#define ALL_SET_AND_ALL_CLR 5
#define ALL_SET_AND_ANY_CLR 6
#define ANY_SET_AND_ALL_CLR 7
#define ANY_SET_AND_ANY_CLR 8
#define ALL_CLR_AND_ANY_CLR 9

#define ALL_SET_OR_ANY_SET 10
#define ALL_SET_OR_ALL_CLR 11
#define ALL_SET_OR_ANY_CLR 12
#define ANY_SET_OR_ALL_CLR 13
#define ANY_SET_OR_ANY_CLR 14
#define ALL_CLR_OR_ANY_CLR 15

/* Changes. */
#define SET_BITS     0
#define CLR_BITS     1
#define SET_CLR_BITS 2
#define NOP_BITS     3

typedef struct rt_bits_struct {
	void *opaque;
#ifdef __KERNEL__
	unsigned long mask; /* the bits, as they are */
#endif
} BITS;

#ifndef __KERNEL__
/**
 * Create a group of bits. name: 0 for one that is made up. Returns it.
 * Errors:
 *   NULL         name is another object's; there is no memory
 * Context: task, main().
 */
BITS *rt_bits_init(unsigned long name, unsigned long mask);

/**
 * Delete. Waiters get RTE_OBJREM. Returns a number above 0.
 * Errors:
 *   -EFAULT      the pointer names no group; the caller is a handler
 * Context: task, main().
 */
int rt_bits_delete(BITS *bits);
#endif

/**
 * The bits.
 * Errors:
 *   RTE_OBJINV   the pointer names no group
 * Context: any.
 */
unsigned long rt_get_bits(BITS *bits);

/**
 * Set the group to a mask, and wake all waiters whatever they wait for. Returns the bits as they
 * were.
 * Errors:
 *   RTE_OBJINV   the pointer names no group
 * Context: any.
 */
unsigned long rt_bits_reset(BITS *bits, unsigned long mask);

/**
 * SET_BITS, CLR_BITS, SET_CLR_BITS (the lower 32 bits of masks are set, then those of the upper 32
 * are cleared) or NOP_BITS. Waiters whose test is met then go on. Returns the bits as the change
 * left them.
 * Errors:
 *   RTE_OBJINV   the pointer names no group; an unknown function
 * Context: any.
 */
unsigned long rt_bits_signal(BITS *bits, int setfun, unsigned long masks);

/**
 * Wait until a test is met (ALL_SET …), then change the bits (SET_BITS …). Of a test of two masks
 * the first one is the lower 32 bits, the second one the upper 32. resulting_mask: receives the
 * bits before the change, or NULL. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no group; an unknown test or function; a test without a bit
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 * Context: task, main().
 */
int rt_bits_wait(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		 unsigned long exitmasks, unsigned long *resulting_mask);

/**
 * The same without waiting. Returns 1, or 0 if the test is not met.
 * Errors:
 *   RTE_OBJINV   the pointer names no group; an unknown test or function; a test without a bit
 * Context: any.
 */
int rt_bits_wait_if(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		    unsigned long exitmasks, unsigned long *resulting_mask);

/**
 * As rt_bits_wait(), until an instant.
 * Errors:
 *   RTE_OBJINV   the pointer names no group; an unknown test or function; a test without a bit
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_TIMOUT   the time came first
 *   RTE_PERM     the caller would have to wait and may not
 * Context: task, main().
 */
int rt_bits_wait_until(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		       unsigned long exitmasks, RTIME time, unsigned long *resulting_mask);

/**
 * As rt_bits_wait(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no group; an unknown test or function; a test without a bit
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_TIMOUT   the time came first
 *   RTE_PERM     the caller would have to wait and may not
 * Context: task, main().
 */
int rt_bits_wait_timed(BITS *bits, int testfun, unsigned long testmasks, int exitfun,
		       unsigned long exitmasks, RTIME delay, unsigned long *resulting_mask);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/bits.h>
#endif

#endif
