/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The lock between the housekeeper, which acts on shadows, and threads that are ending. The
 * housekeeper does not wait for such a thread: the thread may wait for a processor that only the
 * housekeeper can get for it. In that case the housekeeper leaves the shadow alone. Threads that
 * are ending wait for each other, and lend their priority.
 */
#ifndef SHADOW_LOCK_H
#define SHADOW_LOCK_H

#include <stdbool.h>

/* Between these, the housekeeper may act on shadows. False: not now. Context: linux. */
bool shadow_lock_try(void);
void shadow_lock_release(void);
/* Between these, the housekeeper acts on no shadow. Context: linux; in the child of a fork they do
 * nothing. */
void shadow_lock(void);
void shadow_unlock(void);

#endif
