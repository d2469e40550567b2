/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Watchdogs: a function of the program that is called, as a handler, when so many ticks have
 * passed.
 */
#ifndef VXWORKS_WDLIB_H
#define VXWORKS_WDLIB_H

#include <objLib.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wdog *WDOG_ID;

WDOG_ID wdCreate(void);
STATUS wdDelete(WDOG_ID wdId);
/* A watchdog that counts already begins anew. */
STATUS wdStart(WDOG_ID wdId, int delay, FUNCPTR pRoutine, _Vx_usr_arg_t parameter);
STATUS wdCancel(WDOG_ID wdId);
STATUS wdShow(WDOG_ID wdId);

#ifdef __cplusplus
}
#endif

#endif
