/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the server of a CPU is to do next, and how urgent that makes it. Context of all: stalled. */
#ifndef NUC_SERVER_LEVEL_H
#define NUC_SERVER_LEVEL_H

#include "task/task.h"

/* The server is at work from here to there. */
void nuc_server_level_begin(struct nuc_cpu *cpu);
void nuc_server_level_end(struct nuc_cpu *cpu);

/*
 * There are ended tasks that hold something yet: the server gives it back at the priority demanded
 * of it, the highest one until all is done, and below handlers.
 */
void nuc_server_demand(struct nuc_cpu *cpu, uint32_t priority);

/* There is a handler to run: above all tasks. */
void nuc_server_for_handlers(struct nuc_cpu *cpu);

/* Are there batches, or ended tasks that hold something yet? */
bool nuc_server_has_pieces(const struct nuc_cpu *cpu);
/* Are batches what is to be done next? */
bool nuc_server_batches_first(const struct nuc_cpu *cpu);

#endif
