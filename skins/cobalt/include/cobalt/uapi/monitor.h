/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Monitors. */
#ifndef COBALT_UAPI_MONITOR_H
#define COBALT_UAPI_MONITOR_H

#include <stdint.h>

#include <cobalt/uapi/owner.h>

#define COBALT_MONITOR_SHARED 0x1

/* What cobalt_monitor_wait() waits for. */
#define COBALT_MONITOR_WAITGRANT 0x0
#define COBALT_MONITOR_WAITDRAIN 0x1

typedef struct cobalt_monitor_shadow {
	uint32_t gate;
	uint32_t granted;
	uint32_t drained;
	uint32_t pending; /* signals to be given when their sender leaves the gate */
	uint32_t grants;  /* grants to all so far */
	uint32_t waiters;
	int32_t clock;
	uint32_t magic;
	/* With COBALT_MONITOR_SHARED the members gate and place name the monitor in the program
	   that owns it, and granted, drained, grants and waiters are not used. */
	uint32_t flags;
	uint32_t place;
	struct cobalt_owner owner;
} cobalt_monitor_t;

#endif
