/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text for a descriptor, without the C library's streams and memory, because the thread that was
 * interrupted by the fatal signal may hold their locks.
 */
#ifndef POSIX_PRINT_H
#define POSIX_PRINT_H

#include <stddef.h>

struct posix_print {
	int fd;
	int error; /* the first error */
	size_t bytes;
	char text[4096];
};

/* At most 1023 bytes at a time. Context: linux. */
__attribute__((format(printf, 2, 3))) void posix_print(struct posix_print *to, const char *format,
						       ...);
/* Write what is not written yet. Returns the first error, or 0. */
int posix_print_end(struct posix_print *to);

#endif
