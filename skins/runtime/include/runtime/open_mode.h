/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For open() of a skin, which the linker puts in place of Linux's in the program's object files.
 * The includer defines _GNU_SOURCE. */
#ifndef RUNTIME_OPEN_MODE_H
#define RUNTIME_OPEN_MODE_H

#include <fcntl.h>
#include <stdarg.h>
#include <sys/types.h>

/* The argument behind the flags of open(), which is there only for a file that may be made; 0:
 * none. */
static inline mode_t runtime_open_mode(int flags, va_list args)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
}

#endif
