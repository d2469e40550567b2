/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creation and deletion of objects, as far as they are the same for most types. */
#ifndef RUNTIME_LIFE_H
#define RUNTIME_LIFE_H

#include "runtime/record.h"

/* Makes the native object of a reserved record, called key in the nucleus's registry. Returns 0, or
 * an error, and then nothing of the object is left. */
typedef int runtime_make_t(struct runtime_record *record, const char *key, const void *how,
			   tact_object_t *native);

/*
 * Create an object. Its key begins with the name of the type. name: the object's; NULL and "": one
 * is made up. how: passed to make. id: receives the object's id before a task that waits for the
 * name runs. To be called after runtime_begin() and the checks of the arguments.
 * Returns 0, -TACT_ENOMEM (no record), or what the skin's `announce` or make returns.
 * Context: task, linux.
 */
int runtime_create(const struct runtime_table *table, uint32_t type, const char *name,
		   runtime_make_t *make, const void *how, uint64_t *id);
/* Delete an object. Returns 0, -TACT_EBADF: no object of this type has the id. Context: task,
 * linux. */
int runtime_delete(const struct runtime_table *table, uint64_t id, uint32_t type);

#endif
