/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Queues of messages with priorities; typed mailboxes are another name for them.
 */
#ifndef TACTUS_RTAI_TBX_H
#define TACTUS_RTAI_TBX_H

#include <rtai_sem.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct rt_msgq {
	void *opaque;
} RT_MSGQ;
#define TBX RT_MSGQ

#ifndef __KERNEL__
/**
 * The queue of a name, made if there is none, for so many messages, which are received in the
 * order of their priorities, 0 first. msg_size: of the usual message; longer ones take memory of
 * the heap. Uses are counted. Returns it.
 * Errors:
 *   NULL         name is another object's; nmsg is below 1 or above 65536, msg_size is below 0;
 *                there is no memory
 * Context: task, main().
 */
RT_MSGQ *rt_msgq_init(unsigned long msgq, int nmsg, int msg_size);

/**
 * Give up one use, and delete the queue with the last one: waiters get RTE_OBJREM. Returns the
 * uses that are left.
 * Errors:
 *   -EFAULT      the pointer names no queue; the caller is a handler
 * Context: task, main().
 */
int rt_msgq_delete(RT_MSGQ *msgq);
#endif

/**
 * rt_msgq_init() with a name of letters.
 * Errors:
 *   NULL         the name is empty; or as rt_msgq_init()
 * Context: task, main().
 */
RT_MSGQ *rt_named_msgq_init(const char *name, int nmsg, int size);

/**
 * The same as rt_msgq_delete().
 * Errors:
 *   -EFAULT      the pointer names no queue; the caller is a handler
 * Context: task, main().
 */
int rt_named_msgq_delete(RT_MSGQ *msgq);

/**
 * Send a message; wait for a place. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_msg_send(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio);

/**
 * The same without waiting. Returns 0, or msg_size if there is no place.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   -ENOMEM      there is no memory for a long message
 * Context: any.
 */
int rt_msg_send_if(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio);

/**
 * As rt_msg_send(), until an instant.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_msg_send_until(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio, RTIME until);

/**
 * As rt_msg_send(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_msg_send_timed(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio, RTIME delay);

/**
 * Receive the first message; wait for it. A longer one is cut. msgprio: receives its priority, or
 * NULL. Returns how much of msg_size was not needed.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 * Context: task, main().
 */
int rt_msg_receive(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio);

/**
 * The same without waiting. Returns msg_size also if there is no message.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_msg_receive_if(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio);

/**
 * As rt_msg_receive(), until an instant.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_msg_receive_until(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio, RTIME until);

/**
 * As rt_msg_receive(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_msg_receive_timed(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio, RTIME delay);

/**
 * Copy the first message, and leave it. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   -EAGAIN      there is no message
 * Context: any.
 */
int rt_msg_evdrp(RT_MSGQ *msgq, void *msg, int msg_size, int *msgprio);

/**
 * Give a message to each task that waits to receive. Returns their number.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_msg_broadcast(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio);

/**
 * The same, as it never waits.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_msg_broadcast_if(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio);

/**
 * The same, as it never waits.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_msg_broadcast_until(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio, RTIME until);

/**
 * The same, as it never waits.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_msg_broadcast_timed(RT_MSGQ *msgq, void *msg, int msg_size, int msgprio, RTIME delay);

#ifndef __KERNEL__
/**
 * rt_msgq_init() for size messages; flags are not needed.
 * Errors:
 *   NULL         as rt_msgq_init()
 * Context: task, main().
 */
TBX *rt_tbx_init(unsigned long tbx, int size, int flags);

/**
 * rt_msgq_delete().
 * Errors:
 *   -EFAULT      the pointer names no queue; the caller is a handler
 * Context: task, main().
 */
int rt_tbx_delete(TBX *tbx);
#endif

/**
 * rt_msg_send() with the priority 1.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_tbx_send(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_send_if() with the priority 1.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   -ENOMEM      there is no memory for a long message
 * Context: any.
 */
int rt_tbx_send_if(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_send_until() with the priority 1.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_tbx_send_until(TBX *tbx, void *msg, int msg_size, RTIME until);

/**
 * rt_msg_send_timed() with the priority 1.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_tbx_send_timed(TBX *tbx, void *msg, int msg_size, RTIME delay);

/**
 * rt_msg_send() with the priority 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_tbx_urgent(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_send_if() with the priority 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   -ENOMEM      there is no memory for a long message
 * Context: any.
 */
int rt_tbx_urgent_if(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_send_until() with the priority 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_tbx_urgent_until(TBX *tbx, void *msg, int msg_size, RTIME until);

/**
 * rt_msg_send_timed() with the priority 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 *   -ENOMEM      there is no memory for a long message
 * Context: task, main().
 */
int rt_tbx_urgent_timed(TBX *tbx, void *msg, int msg_size, RTIME delay);

/**
 * rt_msg_receive() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 * Context: task, main().
 */
int rt_tbx_receive(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_receive_if() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_tbx_receive_if(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_receive_until() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_tbx_receive_until(TBX *tbx, void *msg, int msg_size, RTIME until);

/**
 * rt_msg_receive_timed() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_tbx_receive_timed(TBX *tbx, void *msg, int msg_size, RTIME delay);

/**
 * rt_msg_broadcast() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_tbx_broadcast(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_broadcast_if() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_tbx_broadcast_if(TBX *tbx, void *msg, int msg_size);

/**
 * rt_msg_broadcast_until() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_tbx_broadcast_until(TBX *tbx, void *msg, int msg_size, RTIME until);

/**
 * rt_msg_broadcast_timed() without a priority.
 * Errors:
 *   RTE_OBJINV   the pointer names no queue
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_tbx_broadcast_timed(TBX *tbx, void *msg, int msg_size, RTIME delay);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/tbx.h>
#endif

#endif
