/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creating calls, for which a full pool grows. */
#ifndef NUC_GROWTH_H
#define NUC_GROWTH_H

#include "call/call.h"

/* nuc_call() for creating calls: if the pool of the home CPU is full and the caller is a plain
 * Linux thread, the pool grows. */
int nuc_call_create(struct nuc_call *call);

#endif
