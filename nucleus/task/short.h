/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The short way, for operations that end at once when nobody else is concerned: a task, in the
 * section that it has just begun, finds the object on its own CPU, and has no other duty of a call
 * to see to. It saves the record of the call, and the way through a pointer.
 */
#ifndef NUC_SHORT_H
#define NUC_SHORT_H

#include "task/task.h"

/* NULL: take the long way, nuc_call_entered(), which knows all cases and all errors. cpu: of
 * nuc_enter(). */
static inline struct nuc_object *nuc_fast_path(struct nuc_cpu *cpu, uint32_t handle, uint8_t type)
{
	uint32_t index = nuc_handle_index(handle);
	struct nuc_object *object;

	if (__builtin_expect(!cpu, 0) || cpu->in_handler || cpu->skipped_ns != HAL_NO_DEADLINE ||
	    index >= cpu->handles.known)
		return NULL;
	/* A handle of another CPU's differs from what the entry of that index holds here. */
	object = nuc_handle_entry(&cpu->handles, index)->object;
	if (!object || object->handle != handle || object->type != type || cpu->current->goes_back)
		return NULL;
	return object;
}
#endif
