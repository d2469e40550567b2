/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Commands of the shell, which programs call, too. */
#ifndef VXWORKS_USRLIB_H
#define VXWORKS_USRLIB_H

#include <taskShow.h>
#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Spawn a task at priority 100, called u0, u1, …; its id is printed. */
int sp(FUNCPTR func, _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4,
       _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6, _Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8,
       _Vx_usr_arg_t arg9);
/* Delete, suspend and resume a task. */
STATUS td(int taskNameOrId);
STATUS ts(int taskNameOrId);
STATUS tr(int taskNameOrId);
/* The calls that a task is in, the outermost one first. */
STATUS tt(int taskNameOrId);
/* What a task waits for; 0: each task. The same, and the object with its waiters. */
void w(int taskNameOrId);
void tw(int taskNameOrId);
/* An object of any type; level 0: a line, 1: details. */
STATUS show(int objId, int level);
/* Memory: nunits units of width bytes (1, 2, 4 or 8). 0: as before, and from where it ended. */
void d(void *adrs, int nunits, int width);
/* The devices. */
void devs(void);

#ifdef __cplusplus
}
#endif

#endif
