/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pool of rings, and the thread that writes out what is in them. */
#ifndef SKINS_PRINT_POOL_H
#define SKINS_PRINT_POOL_H

#include "print_ring.h"

/* Put a text into a ring that has room. Its length, or -1: none has, and it was counted. Context:
 * any. */
int print_pool_put(const struct print_entry *what, print_text_fn *text, void *arg);

/* A ring of this size is among them: 0 or -ENOMEM. Context: linux, task in secondary mode. */
int print_pool_provide(size_t bytes);

/* Write out everything. Context: as before. */
void print_pool_flush(void);

/* Make the rings and the thread, if that was not done. Context: as before. */
void print_pool_start(void);

#endif
