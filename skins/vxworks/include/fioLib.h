/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Printing to a descriptor and to the standard error output. */
#ifndef VXWORKS_FIOLIB_H
#define VXWORKS_FIOLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As printf(). All return the number of characters. */
int printErr(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int fdprintf(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int vfdprintf(int fd, const char *fmt, va_list vaList) __attribute__((format(printf, 2, 0)));

#ifdef __cplusplus
}
#endif

#endif
