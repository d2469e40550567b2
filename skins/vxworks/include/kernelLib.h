/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernel: its version, and time slices. */
#ifndef VXWORKS_KERNELLIB_H
#define VXWORKS_KERNELLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Tasks of one priority take turns of so many ticks; 0: each runs until it waits. */
STATUS kernelTimeSlice(int ticks);
char *kernelVersion(void);

#ifdef __cplusplus
}
#endif

#endif
