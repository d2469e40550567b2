/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Mailboxes: streams of bytes in which each message stays together.
 */
#ifndef TACTUS_RTAI_MBX_H
#define TACTUS_RTAI_MBX_H

#include <rtai_sem.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

typedef struct rt_mailbox {
	void *opaque;
} MBX;

#ifndef __KERNEL__
/**
 * Create a mailbox of so many bytes. name: 0 for one that is made up. qtype: FIFO_Q, PRIO_Q or
 * RES_Q, the order of senders and receivers. Returns it.
 * Errors:
 *   NULL         an unknown order; name is another object's; size is below 1 or too large; there is
 *                no memory
 * Context: task, main().
 */
MBX *rt_typed_mbx_init(unsigned long name, int size, int qtype);

/**
 * The same with FIFO_Q.
 * Errors:
 *   NULL         name is another object's; size is below 1 or too large; there is no memory
 * Context: task, main().
 */
MBX *rt_mbx_init(unsigned long name, int size);

/**
 * Delete. Waiters get RTE_OBJREM. Returns a number above 0.
 * Errors:
 *   -EFAULT      the pointer names no mailbox; the caller is a handler
 * Context: task, main().
 */
int rt_mbx_delete(MBX *mbx);
#endif

/**
 * The mailbox of a name, made as by rt_typed_mbx_init() if there is none. Uses are counted.
 * Returns it.
 * Errors:
 *   NULL         the name is empty, or that of another type of object; or as rt_typed_mbx_init()
 * Context: task, main().
 */
MBX *rt_typed_named_mbx_init(const char *name, int size, int type);

/**
 * The same with FIFO_Q.
 * Errors:
 *   NULL         as rt_typed_named_mbx_init()
 * Context: task, main().
 */
MBX *rt_named_mbx_init(const char *mbx_name, int size);

/**
 * Give up one use, and delete the mailbox with the last one. Returns the uses that are left.
 * Errors:
 *   -EFAULT      the pointer names no mailbox; the caller is a handler
 * Context: task, main().
 */
int rt_named_mbx_delete(MBX *mbx);

/**
 * Send a message of any size, and wait for room for it. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 * Context: task, main().
 */
int rt_mbx_send(MBX *mbx, void *msg, int msg_size);

/**
 * Send as many bytes as can be moved now. Returns the number of bytes that were not.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_mbx_send_wp(MBX *mbx, void *msg, int msg_size);

/**
 * Send the whole message if it can be moved now. Returns 0, or msg_size if it was not.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_mbx_send_if(MBX *mbx, void *msg, int msg_size);

/**
 * As rt_mbx_send(), until an instant. What was moved by then stays moved.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_mbx_send_until(MBX *mbx, void *msg, int msg_size, RTIME time);

/**
 * As rt_mbx_send(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_mbx_send_timed(MBX *mbx, void *msg, int msg_size, RTIME delay);

/**
 * Receive a message of any size, and wait for all of it. Returns 0.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 * Context: task, main().
 */
int rt_mbx_receive(MBX *mbx, void *msg, int msg_size);

/**
 * Receive as many bytes as can be moved now. Returns the number of bytes that were not.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_mbx_receive_wp(MBX *mbx, void *msg, int msg_size);

/**
 * Receive the whole message if it can be moved now. Returns 0, or msg_size if it was not.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_mbx_receive_if(MBX *mbx, void *msg, int msg_size);

/**
 * As rt_mbx_receive(), until an instant. What was moved by then stays moved.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_mbx_receive_until(MBX *mbx, void *msg, int msg_size, RTIME time);

/**
 * As rt_mbx_receive(), for a time.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 *   RTE_OBJREM   it was deleted during the wait
 *   RTE_UNBLKD   rt_task_masked_unblock() broke the wait, or a signal of Linux
 *   RTE_PERM     the caller would have to wait and may not
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
int rt_mbx_receive_timed(MBX *mbx, void *msg, int msg_size, RTIME delay);

/**
 * Send a message at once; the oldest bytes make room. Of a longer message the last bytes are sent.
 * Returns 0, or msg_size if another sender is in the middle of a message.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_mbx_ovrwr_send(MBX *mbx, void *msg, int msg_size);

/**
 * Copy the bytes that are there, and leave them. Returns the number of bytes that were not there.
 * Errors:
 *   RTE_OBJINV   the pointer names no mailbox
 *   -EFAULT      msg is NULL; msg_size is below 0
 * Context: any.
 */
int rt_mbx_evdrp(MBX *mbx, void *msg, int msg_size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __KERNEL__
#include <rtai_module/mbx.h>
#endif

#endif
