/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What deletions leave to Linux: names of the session, and memory that other processes have mapped.
 * When a record comes here, its object cannot be found any more, and all its waiters have been
 * woken. A task that deletes an object in primary mode stays in this mode, so that no less urgent
 * task runs in the middle of its service: a thread does the rest. A caller that needs it done, to
 * use a name again or to report that an object has gone, does it itself.
 */
#ifndef RUNTIME_DEFERRED_FREE_H
#define RUNTIME_DEFERRED_FREE_H

#include "runtime/record.h"

/* Make the thread, if there is none and it can be made. Until then nothing is deferred. Context:
 * linux. */
void runtime_deferred_free_begin(void);
/* Leave the call of runtime_free() to the thread. False: the caller is to call it. Context: task,
 * linux. */
bool runtime_defer_free(struct runtime_record *record);
/* Free all that was left until now, or wait until it is freed. Context: linux. */
void runtime_free_deferred(void);

#endif
