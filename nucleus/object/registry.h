/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry: the map from names to handles, kept by real-time CPU 0 for the whole program.
 */
#ifndef NUC_REGISTRY_H
#define NUC_REGISTRY_H

#include "kernel/object.h"

/* Is the name valid: NULL, or 1 … TACT_NAME_BYTES - 1 bytes? 0 or -TACT_EINVAL. */
int nuc_name_check(const char *name);
void nuc_name_copy(char to[TACT_NAME_BYTES], const char *name);

/* Enter the object's name; NULL: do nothing. 0, or a negative error, after which the name is not
 * entered. Context: task, linux; not stalled. */
int nuc_registry_enter(const char *name, uint32_t handle);

/*
 * The second half of a creating call of the program: enter the name, if there is one, and delete
 * the object again if that fails. Returns 0 with *result (may be NULL) set, or a negative error.
 * Context: task, linux; not stalled.
 */
int nuc_registry_publish(const char *name, uint32_t handle, uint32_t *result);

/* Remove the object's name; nuc_object_unnamed() follows on cpu, at once or by message. */
void nuc_registry_remove(struct nuc_cpu *cpu, struct nuc_object *object);

/* The program stops: all calls that wait for a name end with -TACT_EIDRM. Context: linux. */
void nuc_registry_close(void);

/* Make an empty registry, in the pool of CPU 0. 0 or -TACT_ENOMEM. */
int nuc_registry_init(struct nuc_cpu *cpu);

/*
 * Retire an object: its handle becomes stale, its name is removed from the registry, and its memory
 * is freed when no CPU can reach it any more. Context: home CPU, stalled.
 */
void nuc_object_retire(struct nuc_cpu *cpu, struct nuc_object *object);

#endif
