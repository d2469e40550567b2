/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Bytes, names and formatted text without a C library.
 *
 * Context: any; nothing here blocks, allocates or keeps state. Cost: linear in the bytes touched.
 */
#ifndef BASE_STRING_H
#define BASE_STRING_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Copies count bytes between areas that do not overlap. */
void base_copy(void *to, const void *from, size_t count);

/* Sets count bytes to value. */
void base_fill(void *to, unsigned char value, size_t count);

/* Less than, equal to or greater than 0, as the first differing byte of a is to that of b. */
int base_compare(const void *a, const void *b, size_t count);

/* Bytes before the NUL, limit when there is none among limit bytes. */
size_t base_length(const char *text, size_t limit);

/* Copies text, cut so that it fits with its NUL; size at least 1. Returns true when it was whole.
 */
bool base_copy_text(char *to, size_t size, const char *text);

/*
 * Whether name can be entered in the registry: not NULL, not empty, shorter than size bytes, free
 * of control characters. Blanks, slashes and UTF-8 are allowed: the field's programs use them.
 */
bool base_name_valid(const char *name, size_t size);

/*
 * Formats like C's vsnprintf, always terminated when size is not 0.
 * format: %s %c %d %i %u %x %X %p %% with the lengths l, ll and z, width (number or *), the flags 0
 *   and -, and for %s a precision (number or *). Anything else is copied as it stands and consumes
 *   no argument but those of its stars. Width and precision are 4096 at most. A NULL string prints
 *   as (null).
 * Returns the length the whole text has, without the NUL: cut when that is >= size.
 */
size_t __attribute__((format(printf, 3, 0)))
base_format(char *to, size_t size, const char *format, va_list arguments);

/* The same with the arguments in line. */
size_t __attribute__((format(printf, 3, 4)))
base_print(char *to, size_t size, const char *format, ...);

#endif
