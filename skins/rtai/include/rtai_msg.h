/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages between tasks. A send ends when the message was received, an rpc when it was answered.
 * Both have the urgency of the sender. Functions with an x pass bytes, the others a word.
 */
#ifndef TACTUS_RTAI_MSG_H
#define TACTUS_RTAI_MSG_H

#include <rtai_lxrt.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define MSG_ERR ((RT_TASK *)RTE_OBJINV)

/**
 * Send a word to a task, and wait until it has received it. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
RT_TASK *rt_send(RT_TASK *task, unsigned long msg);

/**
 * The same if the task waits for it. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_PERM     the caller is no task
 *   NULL         the task does not wait for it
 * Context: task, main().
 */
RT_TASK *rt_send_if(RT_TASK *task, unsigned long msg);

/**
 * The same, until an instant.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_send_until(RT_TASK *task, unsigned long msg, RTIME time);

/**
 * The same, for a time.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_send_timed(RT_TASK *task, unsigned long msg, RTIME delay);

/**
 * Send a word to a task, and wait for the answer. result: receives the answer, an unsigned long,
 * or NULL. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
RT_TASK *rt_rpc(RT_TASK *task, unsigned long to_do, void *result);

/**
 * The same if the task waits for it. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   NULL         the task does not wait for it
 * Context: task, main().
 */
RT_TASK *rt_rpc_if(RT_TASK *task, unsigned long to_do, void *result);

/**
 * The same; the answer has to come by an instant.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_rpc_until(RT_TASK *task, unsigned long to_do, void *result, RTIME time);

/**
 * The same, within a time.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_rpc_timed(RT_TASK *task, unsigned long to_do, void *result, RTIME delay);

/**
 * Receive a message of a task; NULL: of any. msg: receives it as an unsigned long, or NULL.
 * Returns the sender.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
RT_TASK *rt_receive(RT_TASK *task, void *msg);

/**
 * The same without waiting. Returns the sender.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_PERM     the caller is no task
 *   NULL         there is no message
 * Context: task, main().
 */
RT_TASK *rt_receive_if(RT_TASK *task, void *msg);

/**
 * The same, until an instant.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_receive_until(RT_TASK *task, void *msg, RTIME time);

/**
 * The same, for a time.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_receive_timed(RT_TASK *task, void *msg, RTIME delay);

/**
 * Read the next message of a task, NULL: of any, and leave it. Returns the sender.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   RTE_PERM     the caller is no task
 *   NULL         there is no message
 * Context: task, main().
 */
RT_TASK *rt_evdrp(RT_TASK *task, void *msg);

/**
 * Answer a call of a task. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task
 *   NULL         the task does not wait for an answer of the caller
 * Context: task, main().
 */
RT_TASK *rt_return(RT_TASK *task, unsigned long result);

/**
 * Does the task wait for an answer? Returns RT_SCHED_RETURN or 0.
 * Context: any.
 */
int rt_isrpc(RT_TASK *task);

/**
 * Send a message of any size to a task, and wait until it has received it. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
RT_TASK *rt_sendx(RT_TASK *task, void *msg, int size);

/**
 * The same if the task waits for it. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_PERM     the caller is no task
 *   NULL         the task does not wait for it
 * Context: task, main().
 */
RT_TASK *rt_sendx_if(RT_TASK *task, void *msg, int size);

/**
 * The same, until an instant.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_sendx_until(RT_TASK *task, void *msg, int size, RTIME time);

/**
 * The same, for a time.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_sendx_timed(RT_TASK *task, void *msg, int size, RTIME delay);

/**
 * Send a message of any size to a task, and wait for the answer. rmsg: receives the answer, which
 * is cut to rsize. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
RT_TASK *rt_rpcx(RT_TASK *task, void *smsg, void *rmsg, int ssize, int rsize);

/**
 * The same if the task waits for it. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   NULL         the task does not wait for it
 * Context: task, main().
 */
RT_TASK *rt_rpcx_if(RT_TASK *task, void *smsg, void *rmsg, int ssize, int rsize);

/**
 * The same; the answer has to come by an instant.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_rpcx_until(RT_TASK *task, void *smsg, void *rmsg, int ssize, int rsize, RTIME time);

/**
 * The same, within a time.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_OBJREM   the task was deleted
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_rpcx_timed(RT_TASK *task, void *smsg, void *rmsg, int ssize, int rsize, RTIME delay);

/**
 * Receive a message of a task; NULL: of any. msg, of size bytes, and len receive it and its
 * length. Returns the sender.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 * Context: task, main().
 */
RT_TASK *rt_receivex(RT_TASK *task, void *msg, int size, long *len);

/**
 * The same without waiting. Returns the sender.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_PERM     the caller is no task
 *   NULL         there is no message
 * Context: task, main().
 */
RT_TASK *rt_receivex_if(RT_TASK *task, void *msg, int size, long *len);

/**
 * The same, until an instant.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_receivex_until(RT_TASK *task, void *msg, int size, long *len, RTIME time);

/**
 * The same, for a time.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_UNBLKD   the wait was broken
 *   RTE_PERM     the caller is no task
 *   RTE_TIMOUT   the time came first
 * Context: task, main().
 */
RT_TASK *rt_receivex_timed(RT_TASK *task, void *msg, int size, long *len, RTIME delay);

/**
 * Read the next message of a task, NULL: of any, and leave it. Returns the sender.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   RTE_PERM     the caller is no task
 *   NULL         there is no message
 * Context: task, main().
 */
RT_TASK *rt_evdrpx(RT_TASK *task, void *msg, int size, long *len);

/**
 * Answer a call of a task. Returns task.
 * Errors:
 *   RTE_OBJINV   task names no task; a size below 0, or a message that is NULL
 *   NULL         the task does not wait for an answer of the caller
 * Context: task, main().
 */
RT_TASK *rt_returnx(RT_TASK *task, void *msg, int size);

/**
 * Does the task wait for an answer? Returns RT_SCHED_RETURN or 0.
 * Context: any.
 */
int rt_isrpcx(RT_TASK *task);

/**
 * Make a proxy, which calls a task with a copy of a message each time it is triggered; NULL: the
 * caller. The receiver need not answer. Returns it.
 * Errors:
 *   NULL         task names no task; nbytes is below 0 or above 256; there is no memory
 * Context: task, main().
 */
RT_TASK *rt_proxy_attach(RT_TASK *task, void *msg, int nbytes, int priority);

/**
 * Delete a proxy. Returns 0.
 * Errors:
 *   -EINVAL      the pointer names no proxy; the caller is a handler
 * Context: task, main().
 */
int rt_proxy_detach(RT_TASK *proxy);

/**
 * Trigger a proxy. Triggers are counted. Returns the task that will receive.
 * Errors:
 *   NULL         the pointer names no proxy
 * Context: any.
 */
RT_TASK *rt_trigger(RT_TASK *proxy);

/**
 * As rt_rpcx(), with the number of a task (rt_gettid()). Returns the length of the answer.
 * Errors:
 *   -ESRCH       no task has the number
 *   -EINVAL      the receiver was deleted, or the wait was broken; a message that is NULL
 * Context: task, main().
 */
int rt_Send(pid_t pid, void *smsg, void *rmsg, size_t ssize, size_t rsize);

/**
 * As rt_receivex(); 0: of any task. Returns the number of the sender.
 * Errors:
 *   -EINVAL      no task has the number, the wait was broken, or msg is NULL
 * Context: task, main().
 */
pid_t rt_Receive(pid_t pid, void *msg, size_t maxsize, size_t *msglen);

/**
 * The same, for a time; 0 does not wait. Returns the number of the sender; 0: there is no message,
 * or no such task.
 * Context: task, main().
 */
pid_t rt_Creceive(pid_t pid, void *msg, size_t maxsize, size_t *msglen, RTIME delay);

/**
 * As rt_returnx(). Returns 0.
 * Errors:
 *   -ESRCH       no task has the number
 *   -EINVAL      the task does not wait for an answer of the caller; msg is NULL
 * Context: task, main().
 */
int rt_Reply(pid_t pid, void *msg, size_t size);

/**
 * As rt_proxy_attach(); 0: the caller. Returns the number of the proxy.
 * Errors:
 *   -ENOMEM      as rt_proxy_attach()
 * Context: task, main().
 */
pid_t rt_Proxy_attach(pid_t pid, void *msg, int nbytes, int priority);

/**
 * As rt_proxy_detach(). Returns 0.
 * Errors:
 *   -EINVAL      no proxy has the number; the caller is a handler
 * Context: task, main().
 */
int rt_Proxy_detach(pid_t pid);

/**
 * As rt_trigger(). Returns the number of the task that will receive.
 * Errors:
 *   -ESRCH       no proxy has the number
 * Context: any.
 */
pid_t rt_Trigger(pid_t pid);

/**
 * Give the calling task a name of up to 31 bytes for rt_Name_locate(). Returns its number.
 * Errors:
 *   -EINVAL      name is NULL, empty or longer; the caller is no task
 * Context: task, main().
 */
pid_t rt_Alias_attach(const char *name);

/**
 * The number of the task with a name of rt_Alias_attach(), or with one of six letters. host has to
 * be NULL or empty. 0: there is none.
 * Context: task, main().
 */
pid_t rt_Name_locate(const char *host, const char *name);

/**
 * Take the name of a task away. Returns 0.
 * Errors:
 *   -EINVAL      no task has the number
 * Context: task, main().
 */
int rt_Name_detach(pid_t pid);

/*
 * Programs that were written for 32 bits receive a word in an int. Where the compiler sees that,
 * the lower half of the word is stored, and not what lies behind the int. The value is received in
 * rtai_word.
 */
#ifndef __cplusplus
#define RTAI_IS_INT(pointer) _Generic((pointer), int * : 1, unsigned int * : 1, default : 0)
#define RTAI_WORD(pointer, call)                                                                   \
	__extension__({                                                                            \
		__typeof__(pointer) rtai_to = (pointer);                                           \
		unsigned int *rtai_int =                                                           \
			RTAI_IS_INT(rtai_to) ? (unsigned int *)(void *)(unsigned long)rtai_to : 0; \
		unsigned long rtai_word = rtai_int ? *rtai_int : 0;                                \
		void *rtai_place = rtai_int ? &rtai_word : (void *)(unsigned long)rtai_to;         \
		RT_TASK *rtai_task = (call);                                                       \
		if (rtai_int)                                                                      \
			*rtai_int = (unsigned int)rtai_word;                                       \
		rtai_task;                                                                         \
	})
#define rt_rpc(task, to_do, result)    RTAI_WORD(result, (rt_rpc)(task, to_do, rtai_place))
#define rt_rpc_if(task, to_do, result) RTAI_WORD(result, (rt_rpc_if)(task, to_do, rtai_place))
#define rt_rpc_until(task, to_do, result, time) \
	RTAI_WORD(result, (rt_rpc_until)(task, to_do, rtai_place, time))
#define rt_rpc_timed(task, to_do, result, delay) \
	RTAI_WORD(result, (rt_rpc_timed)(task, to_do, rtai_place, delay))
#define rt_receive(task, msg)             RTAI_WORD(msg, (rt_receive)(task, rtai_place))
#define rt_receive_if(task, msg)          RTAI_WORD(msg, (rt_receive_if)(task, rtai_place))
#define rt_receive_until(task, msg, time) RTAI_WORD(msg, (rt_receive_until)(task, rtai_place, time))
#define rt_receive_timed(task, msg, delay) \
	RTAI_WORD(msg, (rt_receive_timed)(task, rtai_place, delay))
#define rt_evdrp(task, msg) RTAI_WORD(msg, (rt_evdrp)(task, rtai_place))
#endif

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
