/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a task of µITRON 4.0 has beside that of 3.02: at its end, and when it is made anew. */
#include "uitron4.h"

void itron_task_ends(struct itron_object *self)
{
	self->task.more.limited = false;
	uitron4_exceptions_end(self);
	uitron4_mutexes_end(self);
}

void itron_task_ended(struct itron_object *task)
{
	uitron4_mutexes_disown(task);
}

void itron_task_keep_more(struct itron_object *next, const struct itron_object *task)
{
	next->task.more.exceptions = task->task.more.exceptions;
	if (next->task.more.exceptions)
		uitron4_exceptions_define(next);
}

ER itron_priority_allowed(const struct itron_object *task, PRI priority)
{
	return uitron4_mutexes_allow(task, priority ? priority : task->task.initial) ? E_OK
										     : E_ILUSE;
}

bool itron_task_in_routine(const struct itron_object *self)
{
	return self->task.more.in_routine;
}
