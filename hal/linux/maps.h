/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program's mappings, as Linux lists them. This uses no memory of the C library, of which the
 * first use by a thread reserves much. */
#ifndef LINUX_MAPS_H
#define LINUX_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct maps {
	int fd;
	size_t at, length; /* in the text that was read */
	char text[2048];
};

struct mapping {
	uintptr_t begin, end;
	char rights[5]; /* as "rw-p" */
};

/* False: Linux does not list them. The caller that opened the list closes it. */
bool maps_open(struct maps *maps);
void maps_close(const struct maps *maps);
/* The next mapping; false: there is none. */
bool maps_next(struct maps *maps, struct mapping *mapping);

#endif
