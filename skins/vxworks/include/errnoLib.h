/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* errno, of the calling task and of others. The codes of VxWorks lie above those of Linux. */
#ifndef VXWORKS_ERRNOLIB_H
#define VXWORKS_ERRNOLIB_H

#include <errno.h>

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

int errnoGet(void);
STATUS errnoSet(int errorValue);
int errnoOfTaskGet(int taskId);
STATUS errnoOfTaskSet(int taskId, int errorValue);
/* The name of a code, on the standard output; 0: that of errno. */
void printErrno(int errNo);

#ifdef __cplusplus
}
#endif

#endif
