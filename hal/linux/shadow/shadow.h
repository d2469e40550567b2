/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of a shadow: of created threads (shadow.c), and of attached ones (attach.c). */
#ifndef SHADOW_SHADOW_H
#define SHADOW_SHADOW_H

#include "shadow/record.h"

/* Returns 0 or -TACT_ENOMEM. Context: linux. */
int shadow_open(void *owner, unsigned priority, struct hal_shadow **result);
void shadow_close(struct hal_shadow *shadow);

/* The shadow that runs the caller, or NULL. */
struct hal_shadow *linux_shadow_self(void);
/* A section ended on a shadow: let its signals in again. */
void linux_shadow_unblock(struct hal_self *self);

/* Context of these: the thread itself. */
void shadow_become(struct hal_shadow *shadow);
/* The thread becomes a plain one again, and the record is put back. */
void shadow_cease(struct hal_shadow *shadow);
/* The context of the task is saved: the nucleus may run it. */
void shadow_park(struct hal_shadow *shadow);
/* Run the contexts that come, until the shadow is destroyed. */
void shadow_loop(struct hal_shadow *shadow);
/* From here on neither the housekeeper nor a real-time CPU acts on this shadow: the numbers of the
 * thread and of its files may soon belong to others. */
void shadow_withdraw(struct hal_shadow *shadow);

#endif
