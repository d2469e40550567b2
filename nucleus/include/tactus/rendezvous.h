/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Rendezvous: synchronous messages at a port (port.h) of which servers select some, and which a
 * server passes on. A client calls with a pattern, and a server accepts by a pattern, by the
 * sender, or by both. They meet if the two patterns have a bit in common and the server accepts the
 * sender. tact_port_send() is a call with all bits, and tact_port_receive() accepts everything; all
 * four functions can be used at one port.
 *
 * Order. A client meets the first of the waiting servers that accepts it, and a server meets the
 * first of the waiting clients that it accepts, each in the order of its queue.
 *
 * Priority. A server inherits from the client that it serves, and from all clients that wait at the
 * port, also from those that it would not accept next.
 */
#ifndef TACTUS_RENDEZVOUS_H
#define TACTUS_RENDEZVOUS_H

#include <tactus/port.h>
#include <tactus/task.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* Flag of struct tact_call_rule: the timeout is for the time until the message is received. The
 * reply is then waited for without a limit. */
#define TACT_CALL_UNTIL_RECEIVED 0x1u

/* Flag of struct tact_accept_rule: copy the message, and leave the client where it waits. */
#define TACT_ACCEPT_LOOK 0x1u

struct tact_call_rule {
	uint32_t size;    /* sizeof(struct tact_call_rule) */
	uint32_t flags;   /* TACT_CALL_UNTIL_RECEIVED */
	uint64_t pattern; /* not 0 */
};

struct tact_accept_rule {
	uint32_t size;      /* sizeof(struct tact_accept_rule) */
	uint32_t flags;     /* TACT_ACCEPT_LOOK */
	uint64_t pattern;   /* not 0; UINT64_MAX: any */
	tact_task_t sender; /* the only client that is accepted; {0}: any */
	uint32_t reserved;  /* 0 */
};

/**
 * As tact_port_send(), with a rule. With TACT_CALL_UNTIL_RECEIVED and TACT_NOWAIT the call fails at
 * once, unless a server waits that accepts it; otherwise it waits for the reply.
 * rule: NULL: as tact_port_send().
 *
 * Returns as tact_port_send(), or
 *   -TACT_EAGAIN  no server that accepts the call waits, and timeout is TACT_NOWAIT
 *   -TACT_EINVAL  an unknown size or flag in rule, or a pattern of 0; or as for tact_port_send()
 * Context: task, linux. May wait.
 * Cost: as tact_port_send(), and O(servers that wait and do not accept it).
 * Source: µITRON 3.02, cal_por, pcal_por, tcal_por; RTAI, rt_rpc_if(), rt_send_if().
 */
int tact_port_call(tact_port_t port, const struct tact_call_rule *rule, const void *message,
		   size_t bytes, void *reply, size_t size, tact_timeout_t timeout);

/**
 * As tact_port_receive(), with a rule. A server that waits for one sender waits also if this task
 * has ended; it needs a timeout, or tact_task_unblock().
 * rule: NULL: as tact_port_receive(). With TACT_ACCEPT_LOOK the request in info is 0.
 *
 * Returns as tact_port_receive(), or
 *   -TACT_EAGAIN  no client that is accepted waits, and timeout is TACT_NOWAIT
 *   -TACT_EINVAL  an unknown size or flag in rule, a pattern of 0, or TACT_ACCEPT_LOOK with a
 *                 timeout other than TACT_NOWAIT; or as for tact_port_receive()
 * Context: task, linux. May wait.
 * Cost: as tact_port_receive(), and O(clients that wait and are not accepted).
 * Source: µITRON 3.02 and 4.0, acp_por, pacp_por, tacp_por; RTAI, rt_receive() of one task,
 * rt_evdrp(), which never waits.
 */
int tact_port_accept(tact_port_t port, const struct tact_accept_rule *rule, void *buffer,
		     size_t size, struct tact_port_message *info, tact_timeout_t timeout);

/**
 * Pass a request on: its client waits at another port, or again at the same one, as if it had
 * called there. The caller does not serve the request any more and does not inherit from its
 * client. The number of the request is not valid any more; the server that accepts it gets another
 * one. The timeout of the client continues.
 * port:    where the request is now.
 * request: as tact_port_accept() gave it; any caller that knows it may pass it on.
 * to:      the other port, with the same home CPU.
 * pattern: the new pattern of the call, not 0.
 * message: takes the place of the client's message. It is copied to where the client has its reply.
 *          NULL: the message stays.
 * bytes:   at most the size of the client's reply; 0 if message is NULL.
 *
 * Returns 0, or
 *   -TACT_ESRCH     no such request: its client has left, or got its reply
 *   -TACT_EMSGSIZE  longer than the reply that the client takes, or than TACT_PORT_BYTES_MAX:
 *                   nothing happened; from a handler to another CPU: longer than TACT_HANDLER_BYTES
 *   -TACT_EINVAL    a pattern of 0, or bytes with message NULL
 *   -TACT_ENOTSUP   the other port has another home CPU
 *   -TACT_EBADF     not a port, the one or the other
 *   -TACT_EIDRM     one of the two was deleted: if to, the caller still serves the request
 *   -TACT_ENOMEM    the home CPU's pool is exhausted, and the caller still serves the request; from
 *                   a handler to another CPU: no message record is free
 * Context: task, handler, linux. From a handler to ports of another CPU it returns 0 once it is
 * sent.
 * Cost: O(bytes), O(requests being served at both ports), O(servers that wait at to).
 * Source: µITRON 3.02 and 4.0, fwd_por: the message must fit where the caller takes its reply.
 */
int tact_port_forward(tact_port_t port, uint64_t request, tact_port_t to, uint64_t pattern,
		      const void *message, size_t bytes);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
