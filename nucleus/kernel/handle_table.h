/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of handles of one CPU: entry, removal and lookup. */
#ifndef NUC_HANDLE_TABLE_H
#define NUC_HANDLE_TABLE_H

#include "kernel/cpu.h"

/* Prepare the table of a CPU; the CPU's own object becomes index 0. 0 or -TACT_ENOMEM. */
int nuc_handle_table_init(struct nuc_cpu *cpu, struct nuc_object *self);

/* Enter an object; sets object->handle. 0 or -TACT_ENOMEM. Context: home CPU, stalled. */
int nuc_handle_enter(struct nuc_cpu *cpu, struct nuc_object *object);

/* Remove an object: its handle is stale from here on. Context: home CPU, stalled. */
void nuc_handle_remove(struct nuc_cpu *cpu, struct nuc_object *object);

/* Why a lookup of this handle failed: -TACT_EIDRM or -TACT_EBADF. Context: home CPU, stalled. */
int nuc_handle_error(const struct nuc_cpu *cpu, uint32_t handle);

/* Find the object of a handle; NULL with *error set. Context: home CPU, stalled. */
static inline struct nuc_object *nuc_lookup(struct nuc_cpu *cpu, uint32_t handle, uint8_t type,
					    int *error)
{
	uint32_t index = nuc_handle_index(handle);

	if (__builtin_expect(index < cpu->handles.known, 1)) {
		struct nuc_object *object = nuc_handle_entry(&cpu->handles, index)->object;

		if (__builtin_expect(object && object->handle == handle, 1)) {
			if (type == NUC_TYPE_ANY || object->type == type)
				return object;
			*error = -TACT_EBADF;
			return NULL;
		}
	}
	*error = nuc_handle_error(cpu, handle);
	return NULL;
}

#endif
