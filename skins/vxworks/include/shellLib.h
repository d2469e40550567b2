/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The shell of VxWorks, which calls functions of the running program. `tactus vx-shell` is its
 * terminal. The task tShell runs the commands, so a function may wait, and may be killed with it.
 *
 * A program has the shell if it calls shellInit(), or if TACTUS_VX_SHELL is set to `yes` in its
 * environment. Functions and variables are found if the program is linked with -rdynamic.
 */
#ifndef VXWORKS_SHELLLIB_H
#define VXWORKS_SHELLLIB_H

#include <vxWorks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Start the task tShell. stackSize: of the task; 0: 64 KiB. arg: not used. */
STATUS shellInit(int stackSize, int arg);

#ifdef __cplusplus
}
#endif

#endif
