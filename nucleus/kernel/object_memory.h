/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The memory of objects: from the pool of their home, until nobody can reach them any more. */
#ifndef NUC_OBJECT_MEMORY_H
#define NUC_OBJECT_MEMORY_H

#include "kernel/cpu.h"

/*
 * A creating call: allocates bytes (zeroed) from the CPU's pool, enters the handle. NULL with
 * *error set to -TACT_ENOMEM. Context: home CPU, stalled.
 */
struct nuc_object *nuc_object_new(struct nuc_cpu *cpu, enum nuc_type type, size_t bytes,
				  int *error);

/* The registry has forgotten the object: its memory is freed. */
void nuc_object_unnamed(struct nuc_cpu *cpu, struct nuc_object *object);

/* One of its batches is through. */
void nuc_object_batch_done(struct nuc_cpu *cpu, struct nuc_object *object);

/* Take back an object that nobody saw yet. Context: home CPU, stalled. */
void nuc_object_drop(struct nuc_cpu *cpu, struct nuc_object *object);

#endif
