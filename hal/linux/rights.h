/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SCHED_FIFO, and what Linux lets the program do with priorities. */
#ifndef LINUX_RIGHTS_H
#define LINUX_RIGHTS_H

#include <stdbool.h>

/* SCHED_FIFO, at the priority asked for or the highest that the user's limit allows, or none:
 * -TACT_EPERM where it is required. */
int linux_find_priority(bool require, char reason[256]);
void linux_rights_look(void);
bool linux_may_raise(void);

#endif
