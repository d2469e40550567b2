/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the sources of the skin share: its objects, its tick, its errors. */
#ifndef VXWORKS_INTERNAL_H
#define VXWORKS_INTERNAL_H

#include <vxWorks.h>

#include "runtime/caller.h"
#include "runtime/error.h"
#include "runtime/life.h"
#include "runtime/record.h"
#include "runtime/start.h"
#include "runtime/ticks.h"

/* Types of records. */
enum { VXWORKS_SEM = 1 };

struct vxworks_sem {
	uint32_t kind; /* enum vxworks_sem_kind */
};

struct vxworks_object {
	struct runtime_record record;
	union {
		struct vxworks_sem sem;
	};
};

extern const struct runtime_table vxworks_objects;
extern struct runtime_ticks vxworks_ticks;

/* Sets errno, or what stands for it in a handler. Returns ERROR. */
STATUS vxworks_fail(int code);
/* OK for 0 and more, otherwise vxworks_fail() of the code in the table. */
static inline STATUS vxworks_status(const struct runtime_error *table, int result)
{
	return result >= 0 ? OK : vxworks_fail(runtime_translate(table, result));
}
/* Start the nucleus if need be. ERROR: the caller is a handler, or it cannot be started. */
STATUS vxworks_begin(void);
/* runtime_create(), after vxworks_begin(). NULL: it failed, and errno says why. */
void *vxworks_create(uint32_t type, runtime_make_t *make, const void *how);

/* The record of an id; NULL: no object of this type has it. */
static inline struct vxworks_object *vxworks_find(const void *id, uint32_t type)
{
	return (struct vxworks_object *)runtime_find(&vxworks_objects, (uintptr_t)id, type);
}

/* A timeout in ticks, NO_WAIT or WAIT_FOREVER. */
static inline tact_timeout_t vxworks_timeout(int ticks)
{
	return ticks < 0 ? TACT_FOREVER : runtime_on_tick(&vxworks_ticks, (uint64_t)ticks);
}

#endif
