/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Can a library be put before the C library of this program? */
#ifndef POSIX_PROGRAM_H
#define POSIX_PROGRAM_H

#include <stddef.h>

/*
 * Looks a program up as execvp() does and into it; a script is judged by its interpreter. Returns
 * 0, or the exit status that env(1) would give (127: not found, 126: it cannot be run so), and then
 * reason is a sentence that says what to do.
 */
int program_check(const char *name, char *reason, size_t bytes);

#endif
