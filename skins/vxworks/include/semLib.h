/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Semaphores: binary, counting, and for mutual exclusion. docs/reference/skins/vxworks.md says what
 * each function returns.
 *
 * A semaphore for mutual exclusion belongs to the task that took it: only this task gives it, and
 * may take it again. With SEM_INVERSION_SAFE its owner is as urgent as the most urgent task that
 * waits for it.
 */
#ifndef VXWORKS_SEMLIB_H
#define VXWORKS_SEMLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define M_semLib                    0x00160000
#define S_semLib_INVALID_STATE      (M_semLib | 101)
#define S_semLib_INVALID_OPTION     (M_semLib | 102)
#define S_semLib_INVALID_QUEUE_TYPE (M_semLib | 103)
#define S_semLib_INVALID_OPERATION  (M_semLib | 104)

/* Options */
#define SEM_Q_FIFO         0x00 /* waiting tasks are served in the order of their arrival */
#define SEM_Q_PRIORITY     0x01 /* the most urgent first */
#define SEM_INVERSION_SAFE 0x08 /* semMCreate() with SEM_Q_PRIORITY: inheritance */

typedef enum { SEM_EMPTY, SEM_FULL } SEM_B_STATE;

typedef struct semaphore *SEM_ID;

SEM_ID semBCreate(int options, SEM_B_STATE initialState);
SEM_ID semCCreate(int options, int initialCount);
SEM_ID semMCreate(int options);
STATUS semTake(SEM_ID semId, int timeout);
STATUS semGive(SEM_ID semId);
STATUS semFlush(SEM_ID semId);
STATUS semDelete(SEM_ID semId);

#ifdef __cplusplus
}
#endif

#endif
