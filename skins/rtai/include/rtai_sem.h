/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores, conditions, and waits for one of several objects.
 */
#ifndef TACTUS_RTAI_SEM_H
#define TACTUS_RTAI_SEM_H

#include <rtai_msg.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define SEM_ERR    RTE_OBJINV
#define SEM_TIMOUT RTE_TIMOUT

typedef struct rt_semaphore {
	void *opaque;
} SEM;
typedef SEM CND;

/* Of rt_poll(). */
struct rt_poll_s {
	void *what;
	unsigned long forwhat;
};
#define RT_POLL_NOT_TO_USE   0
#define RT_POLL_MBX_RECV     1
#define RT_POLL_MBX_SEND     2
#define RT_POLL_SEM_WAIT_ALL 3
#define RT_POLL_SEM_WAIT_ONE 4

#ifndef __KERNEL__
/**
 * Create a semaphore. name: 0 for one that is made up. type: CNT_SEM, BIN_SEM or RES_SEM, with
 * PRIO_Q or FIFO_Q; resource semaphores queue by priority. value: its count; of a resource
 * semaphore RESEM_RECURS, RESEM_BINSEM or RESEM_CHEKWT. Returns the semaphore.
 * Errors:
 *   NULL         name is another object's; value is below 0, or an unknown type; there is no memory
 * Context: task, main().
 */
SEM *rt_typed_sem_init(unsigned long name, int value, int type);

/**
 * A counting semaphore that queues by priority. Returns it.
 * Errors:
 *   NULL         as rt_typed_sem_init()
 * Context: task, main().
 */
SEM *rt_sem_init(unsigned long name, int value);

/**
 * Delete. Waiters get RTE_OBJREM. Returns a number above 0.
 * Errors:
 *   -EFAULT      the pointer names no semaphore; the caller is a handler
 * Context: task, main().
 */
int rt_sem_delete(SEM *sem);
#endif

/**
 * The semaphore of a name, made as by rt_typed_sem_init() if there is none. Uses are counted.
 * Returns it.
 * Errors:
 *   NULL         the name is empty, or that of another type of object; or as rt_typed_sem_init()
 * Context: task, main().
 */
SEM *rt_typed_named_sem_init(const char *name, int value, int type);

/**
 * The same for a counting semaphore.
 * Errors:
 *   NULL         as rt_typed_named_sem_init()
 * Context: task, main().
 */
SEM *rt_named_sem_init(const char *sem_name, int value);

/**
 * Give up one use, and delete the semaphore with the last one. Returns the uses that are left.
 * Errors:
 *   -EFAULT      the pointer names no semaphore; the caller is a handler
 * Context: task, main().
 */
int rt_named_sem_delete(SEM *sem);

/**
 * Give one unit, to the first waiter if there is one; give a resource semaphore back. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_PERM     a resource semaphore that the caller does not own
 * Context: any.
 */
int rt_sem_signal(SEM *sem);

/**
 * Wake all waiters, and set the count to 0. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_PERM     a resource semaphore
 * Context: any.
 */
int rt_sem_broadcast(SEM *sem);

/**
 * Take one unit; wait for it. Returns the count as it was, at least 1, if there was no wait, and
 * otherwise the number of waiters that are left, as 0 or less; of a resource semaphore how often
 * the caller owns it.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_DEADLOK  a resource semaphore that the caller owns, or a circle of owners
 *   RTE_PERM     a resource semaphore, and the caller is no task; or the caller would have to wait
 *                and may not
 * Context: task, main().
 */
int rt_sem_wait(SEM *sem);

/**
 * Take one unit if there is one. Returns the count as it was, above 0; 0 or less: there was none.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_DEADLOK  a resource semaphore that the caller owns, or a circle of owners
 *   RTE_PERM     a resource semaphore, and the caller is no task
 * Context: any.
 */
int rt_sem_wait_if(SEM *sem);

/**
 * As rt_sem_wait(), until an instant.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_DEADLOK  a resource semaphore that the caller owns, or a circle of owners
 *   RTE_PERM     a resource semaphore, and the caller is no task; or the caller would have to wait
 *                and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_sem_wait_until(SEM *sem, RTIME time);

/**
 * As rt_sem_wait(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_DEADLOK  a resource semaphore that the caller owns, or a circle of owners
 *   RTE_PERM     a resource semaphore, and the caller is no task; or the caller would have to wait
 *                and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_sem_wait_timed(SEM *sem, RTIME delay);

/**
 * Wait until as many callers are here as the count of the semaphore was. Returns 0 to the last
 * one, -1 to the others.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     a resource semaphore; or the caller would have to wait and may not
 * Context: task, main().
 */
int rt_sem_wait_barrier(SEM *sem);

/**
 * The count; the number of waiters, negative, if it is 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 * Context: any.
 */
int rt_sem_count(SEM *sem);

#ifndef __KERNEL__
/**
 * Create a condition: a binary semaphore of count 0. Returns it.
 * Errors:
 *   NULL         as rt_typed_sem_init()
 * Context: task, main().
 */
CND *rt_cond_init(unsigned long name);

/**
 * Delete, as rt_sem_delete().
 * Errors:
 *   -EFAULT      the pointer names no semaphore; the caller is a handler
 * Context: task, main().
 */
int rt_cond_delete(CND *cnd);

/**
 * The same.
 * Errors:
 *   -EFAULT      the pointer names no semaphore; the caller is a handler
 * Context: task, main().
 */
int rt_cond_destroy(CND *cnd);
#endif

/**
 * Wake the first waiter. Without one nothing happens. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_PERM     a resource semaphore
 * Context: any.
 */
int rt_cond_signal(CND *cnd);

#ifndef __KERNEL__
/**
 * Wake all waiters. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_PERM     a resource semaphore
 * Context: any.
 */
int rt_cond_broadcast(CND *cnd);
#endif

/**
 * Give a resource semaphore back, however often it is owned, wait for a signal, and lock it again
 * as often. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller does not own mutex
 * Context: task, main().
 */
int rt_cond_wait(CND *cnd, SEM *mutex);

/**
 * The same, until an instant.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller does not own mutex
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_cond_wait_until(CND *cnd, SEM *mutex, RTIME time);

/**
 * The same.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller does not own mutex
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_cond_timedwait(CND *cnd, SEM *mutex, RTIME time);

/**
 * The same, for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no semaphore
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller does not own mutex
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_cond_wait_timed(CND *cnd, SEM *mutex, RTIME delay);

/**
 * Wait until at least one of the objects is as wanted: RT_POLL_MBX_RECV, there is something to
 * receive; RT_POLL_MBX_SEND, there is room; RT_POLL_SEM_WAIT_ALL or _ONE, there is a unit.
 * timeout: 0 for ever, 1 do not wait, above an instant, below a delay. `what` becomes NULL for an
 * object that is so, and the error for one that is none. Returns their number, 0 if nothing was
 * there and the caller did not wait.
 * Errors:
 *   RTE_TIMOUT   the time came first
 *   RTE_UNBLKD   the wait was broken
 *   RTE_OBJINV   pdsa is NULL, and nr is not 0
 * Context: task, main().
 */
int rt_poll(struct rt_poll_s *pdsa, unsigned long nr, RTIME timeout);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/sem.h>
#endif

#endif
