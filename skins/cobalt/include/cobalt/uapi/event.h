/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of event flags. */
#ifndef COBALT_UAPI_EVENT_H
#define COBALT_UAPI_EVENT_H

#include <stdint.h>

#include <cobalt/uapi/owner.h>

/* Flags of cobalt_event_init(). */
#define COBALT_EVENT_FIFO   0x0
#define COBALT_EVENT_PRIO   0x1
#define COBALT_EVENT_SHARED 0x2

/* Modes of cobalt_event_wait(). */
#define COBALT_EVENT_ALL 0x0
#define COBALT_EVENT_ANY 0x1

struct cobalt_event_info {
	uint32_t value;
	int32_t flags;
	int32_t nrwait;
};

typedef struct cobalt_event_shadow {
	uint32_t handle;
	uint32_t flags;
	struct cobalt_owner owner; /* only with COBALT_EVENT_SHARED */
} cobalt_event_t;

#endif
