/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SCHED_FIFO, and what Linux lets the program do with priorities. */
#ifndef LINUX_RIGHTS_H
#define LINUX_RIGHTS_H

#include <stdbool.h>

#include "hal/cpu.h"

/* Find out whether SCHED_FIFO is allowed: at the requested priority, or at the highest that the
 * user's limit allows, or not at all. -TACT_EPERM: not at all, and it is required. */
int linux_find_priority(bool require, char reason[HAL_REASON_BYTES]);
void linux_rights_update(void);
bool linux_may_raise(void);

#endif
