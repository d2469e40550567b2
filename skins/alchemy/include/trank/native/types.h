/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The header that had the types of the native API in Xenomai 2: RTIME, SRTIME. */
#ifndef TRANK_NATIVE_TYPES_H
#define TRANK_NATIVE_TYPES_H

#include <alchemy/timer.h>

#endif
