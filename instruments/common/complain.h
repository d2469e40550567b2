/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The one line on stderr by which an instrument says what is wrong and what to do. */
#ifndef COMMON_COMPLAIN_H
#define COMMON_COMPLAIN_H

/* Print the program's name and the sentence in one line. Returns -1, which the caller can
 * return. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
