/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages: the only way to the data of another CPU. A message is part of the object or call that
 * it is about, and is in at most one inbox at a time. It is delivered on the receiving CPU,
 * stalled, in order of sending for each sender.
 */
#ifndef NUC_MESSAGE_H
#define NUC_MESSAGE_H

#include "base/inbox.h"

struct nuc_cpu;

struct nuc_message {
	struct base_inbox_node link;
	void (*deliver)(struct nuc_cpu *cpu, struct nuc_message *message);
};

#endif
