/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory that a program names to a call that Linux would otherwise serve. A served call reads it as
 * Linux would, by a copy. If it cannot be read, Linux makes the call and refuses it. If it cannot
 * be written, the call fails with EFAULT.
 */
#ifndef POSIX_SAFE_COPY_H
#define POSIX_SAFE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copy. False: an address is invalid. 2, 4 and 8 bytes are read and written as one. Cost: that of
 * the copy. If the thread blocks SIGSEGV, a thread in secondary mode and a Linux thread need calls
 * of Linux.
 */
bool posix_safe_copy(void *to, const void *from, size_t bytes);

/* Is it an address outside of a program's range, which Linux refuses without reading it? */
static inline bool posix_is_beyond(const void *place)
{
	return (intptr_t)place < 0;
}

/* Can all of it be read at this moment? */
bool posix_is_readable(const void *place, size_t bytes);

#endif
