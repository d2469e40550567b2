/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What message queues and mailboxes share: messages of bounded size and number, with waiting
 * senders and receivers. The two differ by their type; all else is a parameter.
 */
#ifndef NUC_MESSAGES_H
#define NUC_MESSAGES_H

#include "call/call.h"
#include "call/wait.h"
#include "ipc/message_store.h"

/* Flags beside those of all objects. Without SORTED there are only the priorities NORMAL and
 * URGENT.
 */
#define NUC_MESSAGES_SORTED 0x10u /* by the messages' own priorities */
#define NUC_MESSAGES_CUT    0x20u /* a message is cut to the receiver's buffer */

struct nuc_messages {
	struct nuc_object object;
	struct nuc_waitq receivers; /* wait only while there is no message */
	struct nuc_waitq senders;   /* wait only while there is no room */
	struct nuc_message_store store;
	uint64_t refills; /* how often waiting senders were served */
	uint32_t flags;
};

struct nuc_messages_create_call {
	struct nuc_call call;
	uint32_t message_bytes;
	uint32_t depth;
	uint32_t flags;
};

/* run() of a creating call, of NUC_TYPE_CPU, that makes an object of the type. */
int nuc_queue_create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call);
int nuc_mailbox_create_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call);

/* The public operations, for an object of this type. Context: any, not stalled. */
int nuc_messages_send(enum nuc_type type, uint32_t handle, const void *data, size_t bytes,
		      uint32_t priority, tact_timeout_t timeout);
int nuc_messages_receive(enum nuc_type type, uint32_t handle, void *buffer, size_t size,
			 uint32_t *priority, tact_timeout_t timeout);
int nuc_messages_broadcast(enum nuc_type type, uint32_t handle, const void *data, size_t bytes);
/* Drop all messages. breaks: also break all waits. */
int nuc_messages_flush(enum nuc_type type, uint32_t handle, bool breaks);

#endif
