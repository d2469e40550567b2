/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the server of a CPU has to do next, and how urgent that makes it. Context of all:
 * stalled. */
#ifndef NUC_SERVER_LEVEL_H
#define NUC_SERVER_LEVEL_H

#include "task/task.h"

/* The server of a CPU begins, or ends. */
void nuc_server_level_begin(struct nuc_cpu *cpu);
void nuc_server_level_end(struct nuc_cpu *cpu);

/*
 * Ended tasks still own locks for which tasks of this priority wait. The server passes the locks on
 * at the highest priority that was demanded until all is done, and after all handlers.
 */
void nuc_server_demand(struct nuc_cpu *cpu, uint32_t priority);

/* There is a handler to run: put the server above all tasks. */
void nuc_server_for_handlers(struct nuc_cpu *cpu);

/* Are there batches, or ended tasks that still own something? */
bool nuc_server_has_pieces(const struct nuc_cpu *cpu);
/* Do the batches come next? */
bool nuc_server_batches_first(const struct nuc_cpu *cpu);

#endif
