/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a parked shadow tells the nucleus. */
#ifndef SHADOW_NOTIFY_H
#define SHADOW_NOTIFY_H

#include "shadow/record.h"

/* By itself, parked: key has become readable; its task goes on with handlers of signals; its task
 * is to come for a signal. */
void shadow_notify_watched(struct hal_shadow *shadow, void *key);
void shadow_notify_handlers(struct hal_shadow *shadow);
void shadow_notify_signal(struct hal_shadow *shadow);
/* None is in the middle of that, with what was there before. Context: linux. */
void shadow_await_notified(void);

#endif
