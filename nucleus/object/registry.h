/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The registry: names to handles, kept by real-time CPU 0 for the whole program.
 */
#ifndef NUC_REGISTRY_H
#define NUC_REGISTRY_H

#include "kernel/object.h"

/* Is the name fit for use: NULL, or 1 … TACT_NAME_BYTES - 1 bytes? 0 or -TACT_EINVAL. */
int nuc_name_check(const char *name);
void nuc_name_copy(char to[TACT_NAME_BYTES], const char *name);

/* Enter the object's name; nothing to do for NULL. 0 or a negative error, and it has none then.
 * Context: task, linux; not stalled. */
int nuc_registry_enter(const char *name, tact_handle_t handle);

/*
 * The second half of a creating call made by a user: enter the name (if there is one), and delete
 * the object again when that fails. Returns 0 with *result (may be NULL) set, or a negative error.
 * Context: task, linux; not stalled.
 */
int nuc_registry_publish(const char *name, tact_handle_t handle, tact_handle_t *result);

/* Take the object's name out; nuc_object_unnamed() follows on cpu, at once or by message. */
void nuc_registry_remove(struct nuc_cpu *cpu, struct nuc_object *object);

/* The program stops: all who wait for a name are told by -TACT_EIDRM. Context: linux. */
void nuc_registry_close(void);

/* Empty registry, on CPU 0's pool. 0 or -TACT_ENOMEM. */
int nuc_registry_init(struct nuc_cpu *cpu);

/*
 * The object's handle goes stale, its name is taken out of the registry, its memory is freed when
 * nobody can reach it any more. Context: home CPU, stalled.
 */
void nuc_object_retire(struct nuc_cpu *cpu, struct nuc_object *object);

#endif
