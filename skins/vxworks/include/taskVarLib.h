/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Task variables: words of the program that have another value in each task. */
#ifndef VXWORKS_TASKVARLIB_H
#define VXWORKS_TASKVARLIB_H

#include <taskLib.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct taskVar {
	struct taskVar *next;
	int *address;
	int value; /* while another task runs; while the task runs, the value that others see */
} TASK_VAR;

STATUS taskVarInit(void);
STATUS taskVarAdd(int tid, int *pVar);
STATUS taskVarDelete(int tid, int *pVar);
int taskVarGet(int tid, int *pVar);
STATUS taskVarSet(int tid, int *pVar, int value);
int taskVarInfo(int tid, TASK_VAR varList[], int maxVars);

#ifdef __cplusplus
}
#endif

#endif
