/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A monitor in its owner: the state is in the program's own memory, and is changed behind the gate
 * only. The callers are tasks. A caller that is not behind the gate gets -EPERM.
 */
#ifndef COBALT_MONITOR_INTERNAL_H
#define COBALT_MONITOR_INTERNAL_H

#include "cobalt_internal.h"

/* Signals, which are given when their sender leaves, waits or syncs. */
enum {
	MONITOR_GRANT = 1u << 0,     /* a thread has a grant: each looks whether it is this one */
	MONITOR_GRANT_ALL = 1u << 1, /* all that wait now have one */
	MONITOR_DRAIN = 1u << 2,
	MONITOR_DRAIN_ALL = 1u << 3,
};

int monitor_make(cobalt_monitor_t *state);
int monitor_enter(cobalt_monitor_t *state);
int monitor_exit(cobalt_monitor_t *state, uint32_t signals);
/* Wait until there is a signal. all: receives whether it was a grant to all. */
int monitor_wait(cobalt_monitor_t *state, bool drain, tact_timeout_t timeout, uint32_t signals,
		 bool *all);
/* Let the threads that are signalled have the gate now. */
int monitor_sync(cobalt_monitor_t *state, uint32_t signals);
int monitor_destroy(cobalt_monitor_t *state);

#endif
