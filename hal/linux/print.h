/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What real-time CPUs have to say, written by Linux's threads. */
#ifndef LINUX_PRINT_H
#define LINUX_PRINT_H

#include <stdbool.h>
#include <stddef.h>

/* waits: until the reader has room. False: something is left for want of that. Context: linux. */
bool linux_print_drain(bool waits);
void linux_print_finish(void); /* who drains otherwise is about to end */
void linux_print_now(const char *text, size_t bytes);

#endif
