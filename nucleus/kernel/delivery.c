/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages between CPUs. Each sender kicks, also who does not find the inbox empty: the one that
 * did may be held up before its kick, a thread that Linux has preempted, or the very code that a
 * signal's handler has interrupted which sends now. Kicks merge (hal_kick()).
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

		/* The message may be gone, or sent on, once it is delivered. */
		node = node->next;
		cpu->status->messages++;
		message->deliver(cpu, message);
	}
}
