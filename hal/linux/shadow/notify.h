/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a parked shadow reports to the nucleus. */
#ifndef SHADOW_NOTIFY_H
#define SHADOW_NOTIFY_H

#include "shadow/record.h"

/* Context: the shadow itself, parked. The file of `key` has become readable; the task goes on with
 * handlers of signals; the task must come for a signal. */
void shadow_notify_watched(struct hal_shadow *shadow, void *key);
void shadow_notify_handlers(struct hal_shadow *shadow);
void shadow_notify_signal(struct hal_shadow *shadow);
/* Wait until no shadow is in the middle of a report of a signal that it began before. Context:
 * linux. */
void shadow_await_notified(void);

#endif
