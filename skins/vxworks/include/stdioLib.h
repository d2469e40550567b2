/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* stdio is the C library's. */
#ifndef VXWORKS_STDIOLIB_H
#define VXWORKS_STDIOLIB_H

#include <stdio.h>

#include <fioLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The stream of the calling task's standard input (0), output (1) or error output (2). */
FILE *stdioFp(int stdFd);

#ifdef __cplusplus
}
#endif

#endif
