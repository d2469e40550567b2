/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pool of rings, and the thread that writes out their texts. */
#ifndef SKINS_PRINT_POOL_H
#define SKINS_PRINT_POOL_H

#include "print_ring.h"

/* Put a text into a ring that has room. Returns its length, or -1: no ring has room, and the text
 * is counted as lost. Context: any. */
int print_pool_put(const struct print_entry *what, print_text_fn *text, void *arg);

/* Ensure that there is a ring of this size: 0 or -ENOMEM. Context: linux, task in secondary
 * mode. */
int print_pool_provide(size_t bytes);

/* Write out everything. Context: as before. */
void print_pool_flush(void);

/* Make the rings and the thread, if that was not done. Context: as before. */
void print_pool_start(void);

#endif
