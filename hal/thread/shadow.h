/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The life of a shadow's record, for created threads (shadow.c) and adopted ones (adopt.c). */
#ifndef THREAD_SHADOW_H
#define THREAD_SHADOW_H

struct hal_shadow;

/* Returns 0 or -TACT_ENOMEM. Context: linux. */
int shadow_open(void *owner, unsigned priority, struct hal_shadow **result);
void shadow_close(struct hal_shadow *shadow);

/* Context of these: the thread itself. */
void shadow_become(struct hal_shadow *shadow);
/* It is a plain thread again, and the record is gone. */
void shadow_cease(struct hal_shadow *shadow);
/* Park, and run what comes, until the shadow is destroyed. */
void shadow_loop(struct hal_shadow *shadow);

#endif
