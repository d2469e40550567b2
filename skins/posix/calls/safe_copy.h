/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a program names to a call that is Linux's otherwise. A call that is served looks at it as
 * Linux would, by a copy: what cannot be read Linux is asked for, which refuses it, and what cannot
 * be written is EFAULT.
 */
#ifndef POSIX_SAFE_COPY_H
#define POSIX_SAFE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copy; false: it leads nowhere. 2, 4 and 8 bytes are read and written as one. Cost: that of
 * copying, but calls of Linux in secondary mode and in a Linux thread while they block SIGSEGV.
 */
bool posix_safe_copy(void *to, const void *from, size_t bytes);

/* Is it no place of a program's, which Linux refuses without a look there? */
static inline bool posix_is_beyond(const void *place)
{
	return (intptr_t)place < 0;
}

/* Can all of it be read just now? */
bool posix_is_readable(const void *place, size_t bytes);

#endif
