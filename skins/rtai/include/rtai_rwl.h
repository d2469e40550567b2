/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Locks for several readers or one writer.
 */
#ifndef TACTUS_RTAI_RWL_H
#define TACTUS_RTAI_RWL_H

#include <rtai_sem.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct rtai_rwlock {
	void *opaque;
} RWL;

#ifndef __KERNEL__
/**
 * Create a lock for readers and a writer. type: RESEM_RECURS: the writer may lock again; otherwise
 * this is RTE_DEADLOK. Returns the lock.
 * Errors:
 *   NULL         name is another object's; there is no memory
 * Context: task, main().
 */
RWL *rt_typed_rwl_init(unsigned long name, int type);

/**
 * The same with RESEM_RECURS.
 * Errors:
 *   NULL         as rt_typed_rwl_init()
 * Context: task, main().
 */
RWL *rt_rwl_init(unsigned long name);

/**
 * Delete. Waiters get RTE_OBJREM. Returns a number above 0.
 * Errors:
 *   -EFAULT      the pointer names no lock; the caller is a handler
 * Context: task, main().
 */
int rt_rwl_delete(RWL *rwl);
#endif

/**
 * The lock of a name, made if there is none. Uses are counted. Returns it.
 * Errors:
 *   NULL         the name is empty, or that of another type of object; there is no memory
 * Context: task, main().
 */
RWL *rt_named_rwl_init(const char *name);

/**
 * Give up one use, and delete the lock with the last one. Returns the uses that are left.
 * Errors:
 *   -EFAULT      the pointer names no lock; the caller is a handler
 * Context: task, main().
 */
int rt_named_rwl_delete(RWL *rwl);

/**
 * Lock for reading; wait while a writer owns the lock, or while a writer waits that is not less
 * urgent. A reader may lock again. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 *   RTE_RWLINV   the caller owns it as the writer
 * Context: task, main().
 */
int rt_rwl_rdlock(RWL *rwl);

/**
 * The same without waiting. Returns 0; -1: it is not free.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 * Context: task, main().
 */
int rt_rwl_rdlock_if(RWL *rwl);

/**
 * As rt_rwl_rdlock(), until an instant.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 *   RTE_RWLINV   the caller owns it as the writer
 * Context: task, main().
 */
int rt_rwl_rdlock_until(RWL *rwl, RTIME time);

/**
 * As rt_rwl_rdlock(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 *   RTE_RWLINV   the caller owns it as the writer
 * Context: task, main().
 */
int rt_rwl_rdlock_timed(RWL *rwl, RTIME delay);

/**
 * Lock for writing; wait while others own the lock. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 *   RTE_DEADLOK  the caller owns it as a reader; or as the writer, and the lock is not RESEM_RECURS
 * Context: task, main().
 */
int rt_rwl_wrlock(RWL *rwl);

/**
 * The same without waiting. Returns 0; -1: it is not free.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 * Context: task, main().
 */
int rt_rwl_wrlock_if(RWL *rwl);

/**
 * As rt_rwl_wrlock(), until an instant.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 *   RTE_DEADLOK  as rt_rwl_wrlock()
 * Context: task, main().
 */
int rt_rwl_wrlock_until(RWL *rwl, RTIME time);

/**
 * As rt_rwl_wrlock(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 *   RTE_DEADLOK  as rt_rwl_wrlock()
 * Context: task, main().
 */
int rt_rwl_wrlock_timed(RWL *rwl, RTIME delay);

/**
 * Undo one lock. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no lock
 *   RTE_PERM     the caller does not own it
 * Context: task, main().
 */
int rt_rwl_unlock(RWL *rwl);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/rwl.h>
#endif

#endif
