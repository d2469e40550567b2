/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The condition, for the deadlock detection. */
#ifndef NUC_COND_H
#define NUC_COND_H

#include <tactus/cond.h>

#include "call/wait.h"

/* Home: calls that wait on the condition, each a struct nuc_lock_call, and the mutex that they come
 * back to; its handle is 0 when it had none yet. */
const struct nuc_waitq *nuc_cond_waiters(const struct nuc_object *object, uint32_t *mutex);

/* Home: the mutex that one of these calls comes back to. */
uint32_t nuc_cond_mutex(struct nuc_call *call);

#endif
