/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks. Priority 0 is the most urgent, 255 the least. A task is a full task of Tactus: it may call
 * the C library and Linux. Its id is a number; 0 stands for the calling task where the reference
 * says so.
 *
 * exit() ends the program, as in any program for Linux; a task ends by taskExit(), by a return, or
 * by taskDelete().
 */
#ifndef VXWORKS_TASKLIB_H
#define VXWORKS_TASKLIB_H

#include <objLib.h>
#include <semLib.h> /* as the vendor's header brings it */
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_taskLib_NAME_NOT_FOUND       (M_taskLib | 101)
#define S_taskLib_TASK_HOOK_TABLE_FULL (M_taskLib | 102)
#define S_taskLib_TASK_HOOK_NOT_FOUND  (M_taskLib | 103)
#define S_taskLib_TASK_VAR_NOT_FOUND   (M_taskLib | 107)
#define S_taskLib_ILLEGAL_PRIORITY     (M_taskLib | 109)

/* Options of tasks. Floating point is always saved, so VX_FP_TASK changes nothing. */
#define VX_SUPERVISOR_MODE 0x0001
#define VX_UNBREAKABLE     0x0002
#define VX_DEALLOC_STACK   0x0004
#define VX_FP_TASK         0x0008
#define VX_STDIO           0x0010
#define VX_ADA_DEBUG       0x0020
#define VX_FORTRAN         0x0040
#define VX_PRIVATE_ENV     0x0080
#define VX_NO_STACK_FILL   0x0100
#define VX_ALTIVEC_TASK    0x0400
#define VX_DSP_TASK        0x0200
#define VX_TASK_NOACTIVATE 0x2000

#define VX_TASK_PRIORITY_MIN 0
#define VX_TASK_PRIORITY_MAX 255
#define VX_TASK_NAME_LENGTH  31

/* Bits of the status of a task. */
#define WIND_READY   0x00
#define WIND_SUSPEND 0x01
#define WIND_PEND    0x02
#define WIND_DELAY   0x04
#define WIND_DEAD    0x08

typedef int TASK_ID;
#define TASK_ID_NULL  ((TASK_ID)0)
#define TASK_ID_ERROR ((TASK_ID)ERROR)

/* What programs read and write of a task: taskTcb() brings the upper part up to date. */
typedef struct windTcb {
	int id;
	const char *name;
	int options;
	UINT status;    /* WIND_*, or-ed */
	UINT priority;  /* the present one */
	UINT priNormal; /* the one that was set */
	UINT lockCnt;
	UINT safeCnt;
	FUNCPTR entry;
	size_t stackSize;
	int errorStatus;
	int exitCode;
	int spare1;
	int spare2;
	int spare3;
	int spare4;
	/* For the program's extensions; 0 when the task begins. */
	void *pExtension[4];
} WIND_TCB;

typedef struct {
	int td_id;
	UINT td_priority;
	UINT td_priNormal;
	UINT td_status;
	int td_options;
	FUNCPTR td_entry;
	char *td_sp;
	char *td_pStackBase;
	char *td_pStackLimit;
	char *td_pStackEnd;
	int td_stackSize;
	int td_stackCurrent;
	int td_stackHigh;
	int td_stackMargin;
	int td_errorStatus;
	int td_delay; /* ticks that are left of a delay; always 0 */
	char td_name[VX_TASK_NAME_LENGTH + 1];
} TASK_DESC;

int taskSpawn(const char *name, int priority, int options, int stackSize, FUNCPTR entryPt,
	      _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4,
	      _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6, _Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8,
	      _Vx_usr_arg_t arg9, _Vx_usr_arg_t arg10);
/* As taskSpawn(), but the task waits for taskActivate(). */
int taskCreate(const char *name, int priority, int options, int stackSize, FUNCPTR entryPt,
	       _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4,
	       _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6, _Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8,
	       _Vx_usr_arg_t arg9, _Vx_usr_arg_t arg10);
/* The same, with a TCB of the program; its address, as an int, is another id of the task. */
STATUS taskInit(WIND_TCB *pTcb, const char *name, int priority, int options, char *pStackBase,
		int stackSize, FUNCPTR entryPt, _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2,
		_Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4, _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6,
		_Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8, _Vx_usr_arg_t arg9, _Vx_usr_arg_t arg10);
STATUS taskActivate(int tid);
STATUS taskDelete(int tid);
STATUS taskDeleteForce(int tid);
void taskExit(int code) __attribute__((noreturn));
STATUS taskSuspend(int tid);
STATUS taskResume(int tid);
STATUS taskRestart(int tid);
STATUS taskPrioritySet(int tid, int newPriority);
STATUS taskPriorityGet(int tid, int *pPriority);
STATUS taskLock(void);
STATUS taskUnlock(void);
/* Counted: other tasks wait to delete a task that is safe. */
STATUS taskSafe(void);
STATUS taskUnsafe(void);
STATUS taskDelay(int ticks);
int taskIdSelf(void);
STATUS taskIdVerify(int tid);
WIND_TCB *taskTcb(int tid);
/* Wait until a task has ended. */
STATUS taskWait(int tid, int timeout);

#ifdef __cplusplus
}
#endif

#include <taskInfo.h>

#endif
