/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shadows: simulated Linux threads that belong to tasks. */
#ifndef SIM_SHADOW_H
#define SIM_SHADOW_H

void sim_shadow_remove_all(void);
/* The task has just begun to run on a shadow: deliver a pending notice to it. */
void sim_shadow_notice(void);

#endif
