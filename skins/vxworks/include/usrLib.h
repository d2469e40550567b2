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

#ifdef __cplusplus
}
#endif

#endif
