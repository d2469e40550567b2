/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a parked shadow waits with: messages, and the signals of its task. */
#ifndef SHADOW_WAIT_H
#define SHADOW_WAIT_H

#include "shadow/record.h"

/* 0 or -TACT_ENOMEM; close in any case. */
int shadow_wait_open(struct hal_shadow *shadow);
void shadow_wait_close(struct hal_shadow *shadow);
/* From here on the parked shadow is told of the signals that its task lets in. Context: the thread
 * itself before it parks, or its creator; with all signals blocked, and with thread-local data of
 * its own. */
void shadow_signals_choose(struct hal_shadow *shadow);
/* Context: the shadow itself, parked. Watch for the signals, or not; returns what holds then. And:
 * watch once more after they were reported. */
bool shadow_signals_watch(struct hal_shadow *shadow, bool watches);
void shadow_signals_watch_again(struct hal_shadow *shadow);
/* Their addresses are the keys of messages and signals in the set. */
extern const char shadow_message_key, shadow_signals_key;
/* Give back what no shadow waits with. Context: linux. */
void shadow_waits_drop(void);

#endif
