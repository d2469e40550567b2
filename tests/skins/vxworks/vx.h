/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of VxWorks share: tasks of the skin, and waits for them. */
#ifndef TESTS_SKINS_VXWORKS_VX_H
#define TESTS_SKINS_VXWORKS_VX_H

#include "skin_check.h"

#include <errnoLib.h>
#include <intLib.h>
#include <taskLib.h>

/* Run a body in a task of the skin, and wait for its end. */
void vx_in_task(int priority, FUNCPTR body, long arg);
/* Spawn a task that goes on. Returns its id. */
int vx_spawn(const char *name, int priority, FUNCPTR body, long arg);
/* Wait until a task waits, or has ended. */
void vx_until_pended(int tid);
void vx_until_ended(int tid);

#endif
