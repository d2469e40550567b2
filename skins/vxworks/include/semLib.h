/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores: binary, counting, and for mutual exclusion.
 *
 * A semaphore for mutual exclusion belongs to the task that took it: only this task gives it, and
 * may take it again. With SEM_INVERSION_SAFE its owner is as urgent as the most urgent task that
 * waits for it. With SEM_DELETE_SAFE nobody deletes the owner but by force.
 */
#ifndef VXWORKS_SEMLIB_H
#define VXWORKS_SEMLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_semLib_INVALID_STATE         (M_semLib | 101)
#define S_semLib_INVALID_OPTION        (M_semLib | 102)
#define S_semLib_INVALID_QUEUE_TYPE    (M_semLib | 103)
#define S_semLib_INVALID_OPERATION     (M_semLib | 104)
#define S_semLib_INVALID_INITIAL_COUNT (M_semLib | 105)
#define S_semLib_COUNT_OVERFLOW        (M_semLib | 106)

/* Options */
#define SEM_Q_MASK               0x3
#define SEM_Q_FIFO               0x00 /* waiting tasks are served in the order of their arrival */
#define SEM_Q_PRIORITY           0x01 /* the most urgent first */
#define SEM_DELETE_SAFE          0x04 /* semMCreate(): the owner is safe from deletion */
#define SEM_INVERSION_SAFE       0x08 /* semMCreate() with SEM_Q_PRIORITY: inheritance */
#define SEM_EVENTSEND_ERR_NOTIFY 0x10 /* semGive() fails if the events cannot be sent */
#define SEM_INTERRUPTIBLE        0x20 /* for processes of VxWorks; tasks of the kernel ignore it */

typedef enum { SEM_EMPTY, SEM_FULL } SEM_B_STATE;

typedef struct semaphore *SEM_ID;

/* Memory for the functions sem?Initialize(), which do not use it. */
#define VX_BINARY_SEMAPHORE(name)   long name[2] = {0}
#define VX_COUNTING_SEMAPHORE(name) long name[2] = {0}
#define VX_MUTEX_SEMAPHORE(name)    long name[2] = {0}

SEM_ID semBCreate(int options, SEM_B_STATE initialState);
SEM_ID semCCreate(int options, int initialCount);
SEM_ID semMCreate(int options);
SEM_ID semBInitialize(char *pSemMem, int options, SEM_B_STATE initialState);
SEM_ID semCInitialize(char *pSemMem, int options, int initialCount);
SEM_ID semMInitialize(char *pSemMem, int options);
/* The names of VxWorks 4: an empty binary semaphore; take it without waiting. */
SEM_ID semCreate(void);
STATUS semClear(SEM_ID semId);

STATUS semTake(SEM_ID semId, int timeout);
STATUS semGive(SEM_ID semId);
STATUS semFlush(SEM_ID semId);
STATUS semDelete(SEM_ID semId);

/* The ids of at most maxTasks tasks that wait for the semaphore. Returns their number. */
int semInfo(SEM_ID semId, int idList[], int maxTasks);
/* Print the state of a semaphore; with a level above 0 also who waits. */
STATUS semShow(SEM_ID semId, int level);

#ifdef __cplusplus
}
#endif

#endif
