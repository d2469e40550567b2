/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A monitor where it is: the state is in the program's own memory, and changed behind the gate
 * only. Callers are tasks. Who is not behind the gate is told -EPERM.
 */
#ifndef COBALT_MONITOR_INTERNAL_H
#define COBALT_MONITOR_INTERNAL_H

#include "cobalt_internal.h"

/* Signals that are given when their sender leaves, waits or syncs. */
enum {
	MONITOR_GRANT = 1u << 0,     /* somebody has a grant: let all look whether it is theirs */
	MONITOR_GRANT_ALL = 1u << 1, /* all who wait now have one */
	MONITOR_DRAIN = 1u << 2,
	MONITOR_DRAIN_ALL = 1u << 3,
};

int monitor_make(cobalt_monitor_t *state);
int monitor_enter(cobalt_monitor_t *state);
int monitor_exit(cobalt_monitor_t *state, uint32_t signals);
/* Until something is signalled; all: receives whether it was a grant to all. */
int monitor_wait(cobalt_monitor_t *state, bool drain, tact_timeout_t timeout, uint32_t signals,
		 bool *all);
/* Let those who are signalled have the gate now. */
int monitor_sync(cobalt_monitor_t *state, uint32_t signals);
int monitor_destroy(cobalt_monitor_t *state);

#endif
