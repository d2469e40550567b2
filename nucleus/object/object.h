/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What all types of objects use: memory and handle, and the common parts of the public calls.
 */
#ifndef NUC_OBJECT_CALLS_H
#define NUC_OBJECT_CALLS_H

#include "call/call.h"
#include "kernel/object_memory.h"
#include "object/registry.h"

/*
 * The common parts of the public calls of objects. Context: any, not stalled.
 *
 * Create: check the name and the flags (TACT_ON_CPU() and those in allowed), find the home CPU,
 * make the call there, and enter the name. The call leaves the new handle in call->handle. call: of
 * NUC_TYPE_CPU, any handle, NUC_CALL_TASKS.
 */
int nuc_create(struct nuc_call *call, const char *name, uint32_t flags, uint32_t allowed,
	       uint32_t *result);

/* Where the number of a handle goes; NULL if the caller of the public call does not want it. */
#define NUC_ID_OF(handle) ((handle) ? &(handle)->id : NULL)

/* Delete an object of this type; the handle of any other object is refused. */
int nuc_delete(uint32_t handle, enum nuc_type type);

/*
 * Inquire. info: a structure of this many bytes that begins with its size and the object's name, or
 * NULL; fill() writes the rest of it on the home CPU. Returns -TACT_EINVAL also for a size that no
 * version has.
 */
int nuc_inquire(uint32_t handle, enum nuc_type type, void *info, uint32_t bytes,
		void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object, void *info));
/* The same of a structure that has grown. first: its bytes in version 1. */
int nuc_inquire_grown(uint32_t handle, enum nuc_type type, void *info, uint32_t first,
		      uint32_t bytes,
		      void (*fill)(struct nuc_cpu *cpu, const struct nuc_object *object,
				   void *info));

/* The bits of TACT_ON_CPU(). */
#define NUC_HOME_FLAGS 0x3f000000u

/* The home CPU that the creation flags request, or the caller's CPU. 0, -TACT_ENXIO,
 * -TACT_EPERM. */
int nuc_home_of_flags(uint32_t flags, uint32_t *cpu);

#endif
