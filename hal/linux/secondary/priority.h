/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Linux priority of shadows: their tasks' in secondary mode. */
#ifndef SECONDARY_PRIORITY_H
#define SECONDARY_PRIORITY_H

#include "shadow/record.h"

/* Has Linux been told of its priority by somebody else? Tell again. */
void shadow_priority_apply(struct hal_shadow *shadow);
/* By itself, about to have another user, which may lower priorities and not raise them. */
void shadow_priority_keep(struct hal_shadow *shadow);
/* It parks, or ends. Its task's context given, hal_shadow_run() says that it is parked no more. */
void shadow_priority_park(struct hal_shadow *shadow, bool parked);
/* By itself, parked, with a signal to tell of: where its task does not compute, those of the same
 * priority that came before go first. */
void shadow_priority_stand_back(struct hal_shadow *shadow);
/* The housekeeper's: its task may compute by now, without those having let it tell. */
void shadow_priority_round(void);

/* It is demoted no more (rebalance.c). */
void shadow_priority_restore(struct hal_shadow *shadow);
/* Those of at most this priority are what Linux would have no CPU for (rebalance.c). */
void shadow_priority_keep_up_to(unsigned level);

#endif
