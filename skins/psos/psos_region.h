/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Region 0, which exists from the start. */
#ifndef PSOS_REGION_H
#define PSOS_REGION_H

#include "psos_internal.h"

/* NULL: it was not made yet. Context: any. */
struct runtime_record *psos_region_zero(void);
/* Make it. Returns 0 or the code of rn_create(). One caller at a time. Context: task, linux. */
unsigned long psos_region_zero_make(void);

#endif
