/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The condition, for the deadlock detection. */
#ifndef NUC_COND_H
#define NUC_COND_H

#include <tactus/cond.h>

#include "core/object.h"

/* Home: the mutex that the condition's waiters come back to; 0: it had none yet. */
uint32_t nuc_cond_mutex(const struct nuc_object *object);

#endif
