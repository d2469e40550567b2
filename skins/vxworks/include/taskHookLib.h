/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Functions of the program that are called when tasks are created, switched and deleted. They get
 * the TCB of the task; hooks of switches get the former and the new one.
 */
#ifndef VXWORKS_TASKHOOKLIB_H
#define VXWORKS_TASKHOOKLIB_H

#include <taskLib.h>

#ifdef __cplusplus
extern "C" {
#endif

void taskHookInit(void);
STATUS taskCreateHookAdd(FUNCPTR createHook);
STATUS taskCreateHookDelete(FUNCPTR createHook);
STATUS taskDeleteHookAdd(FUNCPTR deleteHook);
STATUS taskDeleteHookDelete(FUNCPTR deleteHook);
STATUS taskSwitchHookAdd(FUNCPTR switchHook);
STATUS taskSwitchHookDelete(FUNCPTR switchHook);

#ifdef __cplusplus
}
#endif

#endif
