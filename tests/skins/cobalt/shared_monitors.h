/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A monitor that the processes of a test share. */
#ifndef COBALT_SHARED_MONITORS_H
#define COBALT_SHARED_MONITORS_H

#include "processes.h"

enum { MADE, BEHIND, WAITS, WOKEN, GRANTED, TURNS, MAY_END };

#define MONITOR ((cobalt_monitor_t *)(void *)page->objects)

static inline void make(void)
{
	expect_ok(cobalt_monitor_init(MONITOR, CLOCK_MONOTONIC, COBALT_MONITOR_SHARED));
	reach(MADE);
}

static inline void *destroy_behind(void *unused)
{
	expect_ok(cobalt_monitor_enter(MONITOR));
	expect_ok(cobalt_monitor_destroy(MONITOR));
	expect_eq(cobalt_monitor_enter(MONITOR), -EINVAL);
	return unused;
}

static inline void own(void)
{
	make();
	await(MAY_END);
	in_task(destroy_behind, NULL);
}

#endif
