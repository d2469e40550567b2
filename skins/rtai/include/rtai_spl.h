/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locks that RTAI's waiters spin at.
 */
#ifndef TACTUS_RTAI_SPL_H
#define TACTUS_RTAI_SPL_H

#include <rtai_sem.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct rtai_spl {
	void *opaque;
} SPL;

#ifndef __KERNEL__
/**
 * Create a lock of which RTAI's waiters spin. Here they wait, and the owner has their priority.
 * Returns it.
 * Errors:
 *   NULL         name is another object's; there is no memory
 * Context: task, main().
 */
SPL *rt_spl_init(unsigned long name);

/**
 * Delete. Waiters get RTE_OBJREM. Returns a number above 0.
 * Errors:
 *   -EFAULT      the pointer names no lock; the caller is a handler
 * Context: task, main().
 */
int rt_spl_delete(SPL *spl);
#endif

/**
 * The lock of a name, made if there is none. Uses are counted. Returns it.
 * Errors:
 *   NULL         the name is empty, or that of another type of object; there is no memory
 * Context: task, main().
 */
SPL *rt_named_spl_init(const char *name);

/**
 * Give up one use, and delete the lock with the last one. Returns the uses that are left.
 * Errors:
 *   -EFAULT      the pointer names no lock; the caller is a handler
 * Context: task, main().
 */
int rt_named_spl_delete(SPL *spl);

/**
 * Lock; the owner may lock again. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
int rt_spl_lock(SPL *spl);

/**
 * The same without waiting. Returns 0; -1: it is not free.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 * Context: task, main().
 */
int rt_spl_lock_if(SPL *spl);

/**
 * The same, for a time in ns. Returns 0; -1: the time came first.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
int rt_spl_lock_timed(SPL *spl, unsigned long ns);

/**
 * Undo one lock. Returns 0; -1: the caller does not own it.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 * Context: task, main().
 */
int rt_spl_unlock(SPL *spl);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/spl.h>
#endif

#endif
