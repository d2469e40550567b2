/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages between CPUs. Each sender kicks, also one that finds a message in the inbox: the sender
 * of that message may be held up before its kick. It may be a thread that Linux has preempted, or
 * the code that was interrupted by the signal handler that sends now. Kicks merge (hal_kick()).
 */
#include "kernel/delivery.h"

void nuc_message_send(struct nuc_cpu *to, struct nuc_message *message)
{
	(void)base_inbox_push(&to->inbox, &message->link);
	hal_kick(&to->hal);
}

void nuc_message_drain(struct nuc_cpu *cpu)
{
	struct base_inbox_node *node = base_inbox_take(&cpu->inbox);

	while (node) {
		struct nuc_message *message = (struct nuc_message *)node;

		/* A message that has been delivered may be freed, or sent on. */
		node = node->next;
		cpu->status->messages++;
		message->deliver(cpu, message);
	}
}
