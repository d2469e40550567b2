/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What messages, proxies and messages by numbers share. */
#ifndef RTAI_MSG_INTERNAL_H
#define RTAI_MSG_INTERNAL_H

#include "rtai_task.h"

#include <rtai_msg.h>

/* A message that a task sends. */
struct rtai_message {
	const void *data;
	int bytes;
	void *reply; /* of an rpc */
	int room;
	bool send;           /* no rpc */
	bool until_received; /* the timeout is for the time until then */
};

/* Call a task. Returns the length of the answer, or an error of the nucleus; -TACT_EBADF: there is
 * no such task, or a size or pointer is wrong. */
int rtai_call(struct runtime_record *to, const struct rtai_message *message,
	      tact_timeout_t timeout);

/* A message that a task receives. */
struct rtai_receipt {
	struct runtime_record *from; /* NULL: any */
	void *room;
	int size;
	bool look;       /* leave it there */
	RT_TASK *sender; /* of the message that was received, */
	int bytes;       /* and how much of it */
};

/* Returns 0, or an error of the nucleus. */
int rtai_accept(struct rtai_receipt *receipt, tact_timeout_t timeout);
/* Answer the rpc of a task. Returns 0, or an error of the nucleus; -TACT_ESRCH: it waits for no
 * answer of the caller. */
int rtai_answer(struct runtime_record *client, const void *msg, int size);

/* The functions, not what programs see of them. */
#undef rt_rpc
#undef rt_rpc_if
#undef rt_rpc_until
#undef rt_rpc_timed
#undef rt_receive
#undef rt_receive_if
#undef rt_receive_until
#undef rt_receive_timed
#undef rt_evdrp

#endif
