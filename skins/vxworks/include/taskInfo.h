/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What can be known of tasks. It may have changed when it is read. */
#ifndef VXWORKS_TASKINFO_H
#define VXWORKS_TASKINFO_H

#include <taskLib.h>

#ifdef __cplusplus
extern "C" {
#endif

STATUS taskOptionsSet(int tid, int mask, int newOptions);
STATUS taskOptionsGet(int tid, int *pOptions);
char *taskName(int tid);
int taskNameToId(const char *name);
int taskIdDefault(int tid);
BOOL taskIsReady(int tid);
BOOL taskIsSuspended(int tid);
BOOL taskIsPended(int tid);
BOOL taskIsDelayed(int tid);
int taskIdListGet(int idList[], int maxTasks);
STATUS taskInfoGet(int tid, TASK_DESC *pTaskDesc);
/* The name that Xenomai has for taskInfoGet(). */
STATUS taskGetInfo(int tid, TASK_DESC *pTaskDesc);
/* Four words of each task for the program: num is 1 to 4. */
STATUS taskSpareNumAllot(int tid, int *pNum);
int taskSpareFieldGet(int tid, int num);
STATUS taskSpareFieldSet(int tid, int num, int value);

#ifdef __cplusplus
}
#endif

#endif
