/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Text for a descriptor, without the C library's streams and memory: who was interrupted by the
 * signal that ends the program may have their locks.
 */
#ifndef POSIX_PRINT_H
#define POSIX_PRINT_H

#include <stddef.h>

struct posix_print {
	int fd;
	int error; /* the first that came */
	size_t bytes;
	char text[4096];
};

/* At most 1023 bytes at a time. Context: linux. */
__attribute__((format(printf, 2, 3))) void posix_print(struct posix_print *to, const char *format,
						       ...);
/* What is not written yet is. Returns the first error, or 0. */
int posix_print_end(struct posix_print *to);

#endif
