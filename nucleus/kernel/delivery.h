/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sending and delivering messages. A message is delivered on the receiving CPU, stalled, in order
 * of sending for each sender.
 */
#ifndef NUC_DELIVERY_H
#define NUC_DELIVERY_H

#include "kernel/cpu.h"
#include "kernel/message.h"

/* Send; async-signal-safe. The message belongs to the receiver until it is delivered. Context: any.
 */
void nuc_message_send(struct nuc_cpu *to, struct nuc_message *message);

/*
 * Deliver all messages that have arrived; a message that arrives meanwhile kicks again. Context:
 * stalled, on the receiving CPU. Cost: O(messages). Each waiting caller and each cast record of
 * another CPU has at most one, because a sender waits for the answer before it sends the next. A
 * caller that waits for several objects has at most one for each of them.
 */
void nuc_message_drain(struct nuc_cpu *cpu);

#endif
