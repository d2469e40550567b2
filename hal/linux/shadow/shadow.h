/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of a shadow: of created threads (shadow.c), and of those that were attached (attach.c).
 */
#ifndef SHADOW_SHADOW_H
#define SHADOW_SHADOW_H

#include "shadow/record.h"

/* Returns 0 or -TACT_ENOMEM. Context: linux. */
int shadow_open(void *owner, unsigned priority, struct hal_shadow **result);
void shadow_close(struct hal_shadow *shadow);

/* The shadow that runs the caller, or NULL. */
struct hal_shadow *linux_shadow_self(void);
/* A section ended on a shadow: its signals may come again. */
void linux_shadow_unblock(struct hal_self *self);

/* Context of these: the thread itself. */
void shadow_become(struct hal_shadow *shadow);
/* It is a plain thread again, and the record is gone. */
void shadow_cease(struct hal_shadow *shadow);
/* Its task's context is saved: the nucleus may have it. */
void shadow_park(struct hal_shadow *shadow);
/* Run what comes, until the shadow is destroyed. */
void shadow_loop(struct hal_shadow *shadow);
/* From here on neither the housekeeper nor a real-time CPU does anything to this one: its numbers,
 * and its files', may be others' soon. */
void shadow_withdraw(struct hal_shadow *shadow);

#endif
