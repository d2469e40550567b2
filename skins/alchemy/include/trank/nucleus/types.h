/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The header that had the length of names in Xenomai 2: XNOBJECT_NAME_LEN. */
#ifndef TRANK_NUCLEUS_TYPES_H
#define TRANK_NUCLEUS_TYPES_H

#include <alchemy/timer.h>

#endif
