/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The fast path, for an operation that ends at once if it concerns no other task. A task that has
 * just begun a section finds the object on its own CPU, and none of the other duties of a call is
 * due. The path saves the record of the call and the call of run() by pointer.
 */
#ifndef NUC_SHORT_H
#define NUC_SHORT_H

#include "task/task.h"

/* Find the object. NULL: make a call by nuc_call_entered(), which knows all cases and all errors.
 * cpu: the result of nuc_enter(). */
static inline struct nuc_object *nuc_fast_path(struct nuc_cpu *cpu, uint32_t handle, uint8_t type)
{
	uint32_t index = nuc_handle_index(handle);
	struct nuc_object *object;

	if (__builtin_expect(!cpu, 0) || cpu->in_handler ||
	    cpu->expiry.skipped_ns != HAL_NO_DEADLINE || index >= cpu->handles.known)
		return NULL;
	/* A handle of another CPU differs from the handle of the object in this entry. */
	object = nuc_handle_entry(&cpu->handles, index)->object;
	if (!object || object->handle != handle || object->type != type || cpu->current->goes_back)
		return NULL;
	return object;
}
#endif
