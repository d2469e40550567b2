/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/heap.h> had in Xenomai 2, and the further modes that it had there. */
#ifndef TRANK_NATIVE_HEAP_H
#define TRANK_NATIVE_HEAP_H

#include <alchemy/heap.h>

/* Accepted, without effect: other programs can find every heap that has a name. */
#define H_MAPPABLE 0x0
/* One block that programs share. */
#define H_SHARED (H_MAPPABLE | H_SINGLE)
/* Accepted, without effect: the memory is cached like all memory of programs. */
#define H_NONCACHED 0x0

#endif
