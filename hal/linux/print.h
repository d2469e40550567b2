/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The messages of real-time CPUs, which Linux threads write. */
#ifndef LINUX_PRINT_H
#define LINUX_PRINT_H

#include <stdbool.h>
#include <stddef.h>

/* waits: wait until the reader has room. False: some text is left, because there was no room.
 * Context: linux. */
bool linux_print_drain(bool waits);
void linux_print_finish(void); /* the housekeeper, which drains otherwise, is about to end */
void linux_print_now(const char *text, size_t bytes);

/* The last message of a program that cannot go on: print this record, and end the program by this
 * signal. Context: any thread. */
void linux_end(const char *record, int signal) __attribute__((noreturn));

#endif
