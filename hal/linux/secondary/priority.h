/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Linux priority of shadows: that of their tasks in secondary mode. */
#ifndef SECONDARY_PRIORITY_H
#define SECONDARY_PRIORITY_H

#include "shadow/record.h"

/* Tell Linux the priority of the shadow, if Linux may have been told another one. */
void shadow_priority_apply(struct hal_shadow *shadow);
/* Context: the shadow itself, which is about to get another user. That user may lower priorities,
 * but may not raise them. */
void shadow_priority_keep(struct hal_shadow *shadow);
/* The shadow parks, or ends. When it is given a context, hal_shadow_run() clears `parked`. */
void shadow_priority_park(struct hal_shadow *shadow, bool parked);
/* Context: the shadow itself, parked, with a signal to report. If its task does not compute, the
 * threads of the same priority that came before go first. */
void shadow_priority_stand_back(struct hal_shadow *shadow);
/* Context: the housekeeper. The task of such a shadow may compute by now, while those threads still
 * keep the shadow from its report. */
void shadow_priority_round(void);

/* The shadow is not demoted any longer (rebalance.c). */
void shadow_priority_restore(struct hal_shadow *shadow);
/* Linux would have no CPU for shadows of at most this priority (rebalance.c). */
void shadow_priority_keep_up_to(unsigned level);

#endif
