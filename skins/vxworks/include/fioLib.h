/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Printing to a descriptor and to the standard error output. */
#ifndef VXWORKS_FIOLIB_H
#define VXWORKS_FIOLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As printf(). Both return the number of characters. */
int printErr(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
int fdprintf(int fd, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif

#endif
