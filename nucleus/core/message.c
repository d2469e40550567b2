/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages between CPUs. A kick is sent only by whoever finds the inbox empty: a receiver that
 * drains takes everything, so all later senders are covered by the first one's kick.
 */
#include "core/message.h"

#include "core/cpu.h"

void nuc_message_send(struct nuc_cpu *to, struct nuc_message *message)
{
	if (base_inbox_push(&to->inbox, &message->link))
		hal_kick(&to->hal);
}

void nuc_message_drain(struct nuc_cpu *cpu)
{
	struct base_inbox_node *node = base_inbox_take(&cpu->inbox);

	while (node) {
		struct nuc_message *message = (struct nuc_message *)node;

		/* The message may be gone, or sent on, once it is delivered. */
		node = node->next;
		cpu->status->messages++;
		message->deliver(cpu, message);
	}
}
