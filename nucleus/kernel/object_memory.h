/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of objects: from the pool of their home CPU, until no CPU can reach them any more. */
#ifndef NUC_OBJECT_MEMORY_H
#define NUC_OBJECT_MEMORY_H

#include "kernel/cpu.h"

/*
 * For a creating call: allocate bytes (zeroed) from the CPU's pool, and enter the handle. NULL with
 * *error set to -TACT_ENOMEM. Context: home CPU, stalled.
 */
struct nuc_object *nuc_object_new(struct nuc_cpu *cpu, enum nuc_type type, size_t bytes,
				  int *error);

/* The registry has no entry of the object any more: free its memory. */
void nuc_object_unnamed(struct nuc_cpu *cpu, struct nuc_object *object);

/* A batch of waiters of the object is complete. */
void nuc_object_batch_done(struct nuc_cpu *cpu, struct nuc_object *object);

/* Delete an object whose handle was not given to the program yet. Context: home CPU, stalled. */
void nuc_object_drop(struct nuc_cpu *cpu, struct nuc_object *object);

#endif
