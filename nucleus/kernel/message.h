/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Messages: the only way onto another CPU's data. A message lives in whatever it is about, is in at
 * most one inbox at a time, and is delivered on the receiving CPU, stalled, in order of sending for
 * each sender.
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
