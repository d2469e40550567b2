/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Between the housekeeper, which acts on shadows, and threads that are ending. The housekeeper does
 * not wait for such a thread, which may wait for a processor that only the housekeeper can get it:
 * what was to be done to a shadow is left out then. Those that end wait for each other, and lend
 * their priority.
 */
#ifndef SHADOW_LOCK_H
#define SHADOW_LOCK_H

#include <stdbool.h>

/* The housekeeper, between these, may do something to a shadow. False: not now. Context: linux. */
bool shadow_lock_try(void);
void shadow_lock_release(void);
/* Between these it does nothing to any of them. Context: linux; a fork's child passes. */
void shadow_lock(void);
void shadow_unlock(void);

#endif
