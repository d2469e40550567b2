/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The condition, for the deadlock detection. */
#ifndef NUC_COND_H
#define NUC_COND_H

#include <tactus/cond.h>

#include "call/wait.h"

/* Home: the calls that wait on the condition, each a struct nuc_lock_call, and the mutex to which
 * they come back. The handle of the mutex is 0 before the first wait. */
const struct nuc_waitq *nuc_cond_waiters(const struct nuc_object *object, uint32_t *mutex);

/* Home: the mutex to which one of these calls comes back. */
uint32_t nuc_cond_mutex(struct nuc_call *call);

#endif
