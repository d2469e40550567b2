/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that become shadows, and plain threads again. */
#ifndef SHADOW_ATTACH_H
#define SHADOW_ATTACH_H

/* In each round of the housekeeper: make some of the stacks that came in parts whole and locked. */
void shadow_stacks_lock_round(void);

#endif
