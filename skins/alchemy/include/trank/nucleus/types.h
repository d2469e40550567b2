/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where Xenomai 2 had the length of names, XNOBJECT_NAME_LEN. */
#ifndef TRANK_NUCLEUS_TYPES_H
#define TRANK_NUCLEUS_TYPES_H

#include <alchemy/timer.h>

#endif
