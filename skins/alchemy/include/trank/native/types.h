/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where Xenomai 2 had the types of the native API: RTIME, SRTIME. */
#ifndef TRANK_NATIVE_TYPES_H
#define TRANK_NATIVE_TYPES_H

#include <alchemy/timer.h>

#endif
