/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of tasks, on the standard output. */
#ifndef VXWORKS_TASKSHOW_H
#define VXWORKS_TASKSHOW_H

#include <taskLib.h>

#ifdef __cplusplus
extern "C" {
#endif

/* level 0: one line; 1: details; tid 0: all tasks. */
STATUS taskShow(int tid, int level);
void i(int tid);
void ti(int tid);

#ifdef __cplusplus
}
#endif

#endif
