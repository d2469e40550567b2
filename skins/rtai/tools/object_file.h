/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A shared object as a file: what its sections and its table of symbols say. */
#ifndef RTAI_OBJECT_FILE_H
#define RTAI_OBJECT_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct object_file {
	const unsigned char *bytes; /* NULL: it is not open */
	size_t size;
};

/* Map a file. NULL, or why it is no shared object for this machine. */
const char *object_open(struct object_file *file, const char *path);
void object_close(struct object_file *file);

/* The address of a section within the object, and its size; 0: it has none. */
size_t object_section(const struct object_file *file, const char *name, size_t *bytes);
/* The end of its memory. */
size_t object_end(const struct object_file *file);
/* Does it define the symbol for others? */
bool object_defines(const struct object_file *file, const char *symbol);
/* Does it use a symbol that the other one defines? Its name; NULL: no. */
const char *object_uses(const struct object_file *file, const struct object_file *other);

#endif
