/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creating calls, for which a full pool grows. */
#ifndef NUC_GROWTH_H
#define NUC_GROWTH_H

#include "call/call.h"

/* As nuc_call() for creating calls: grows the home CPU's pool when the caller is Linux and it is
 * full. */
int nuc_call_create(struct nuc_call *call);

#endif
