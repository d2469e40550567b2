/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/heap.h> had in Xenomai 2. */
#ifndef TRANK_NATIVE_HEAP_H
#define TRANK_NATIVE_HEAP_H

#include <alchemy/heap.h>

#endif
