/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the parts of µITRON 4.0 do when a task ends and begins anew. */
#ifndef UITRON4_H
#define UITRON4_H

#include "itron/core.h"

/* What cre_x() returns for the ID that acre_x() returns. Both stand on a create_x() that reads the
 * packet. The forms are alike and are written for each type, as each packet has its own members. */
static inline ER uitron4_ok(ER result)
{
	return result > 0 ? E_OK : result;
}

/* In the task that ends: exceptions are disabled, requests are dropped (exception.c). */
void uitron4_exceptions_end(struct itron_object *self);
/* The routine of a task with a new native task. */
void uitron4_exceptions_define(struct itron_object *task);
/* In the task that ends: unlock its mutexes (mutex.c). */
void uitron4_mutexes_end(struct itron_object *self);
/* May the task have this base priority, with the mutexes that it has locked? */
bool uitron4_mutexes_allow(const struct itron_object *task, PRI priority);
/* A task has ended, which may have locked mutexes. */
void uitron4_mutexes_disown(struct itron_object *task);

#endif
