/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Can a library be put before the C library of this program? */
#ifndef POSIX_PROGRAM_H
#define POSIX_PROGRAM_H

#include <stddef.h>

/*
 * Looks up a program as execvp() does, and checks the file. A script is judged by its interpreter.
 * Returns 0, or the exit status of env(1) (127: not found, 126: it cannot be run in this way);
 * reason is then a sentence that says what to do.
 */
int program_check(const char *name, char *reason, size_t bytes);

#endif
