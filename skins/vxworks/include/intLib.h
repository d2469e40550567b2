/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers. A task that locked interrupts is not interrupted by watchdogs, clocks and other tasks
 * until it unlocks them or waits. Interrupts of devices are handled by Tactus drivers.
 */
#ifndef VXWORKS_INTLIB_H
#define VXWORKS_INTLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

#define S_intLib_NOT_ISR_CALLABLE         (M_intLib | 1)
#define S_intLib_VEC_TABLE_WP_UNAVAILABLE (M_intLib | 2)

BOOL intContext(void);
int intCount(void);
/* Returns the key for intUnlock(). */
int intLock(void);
void intUnlock(int lockKey);
int intLevelSet(int level);

/* Vectors are numbers here. */
#define INUM_TO_IVEC(number) ((VOIDFUNCPTR *)(uintptr_t)(number))
STATUS intConnect(VOIDFUNCPTR *vector, VOIDFUNCPTR routine, _Vx_usr_arg_t parameter)
	__attribute__((error("intConnect: use tact_interrupt_create() of <tactus/device.h>")));

#ifdef __cplusplus
}
#endif

#endif
