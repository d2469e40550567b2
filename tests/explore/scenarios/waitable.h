/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * All types of objects that can be waited for. Each is made so that only its deletion ends a wait.
 */
#ifndef EXPLORE_WAITABLE_H
#define EXPLORE_WAITABLE_H

#include "explore/scenario.h"

struct waitable {
	const char *name;
	tact_object_t (*create)(uint32_t flags); /* TACT_FIFO or TACT_PRIO, TACT_ON_CPU(n) */
	int (*wait)(tact_object_t object, tact_timeout_t timeout);
	bool from_linux;        /* plain Linux threads may also wait */
	void (*clean_up)(void); /* after the deletion; may be NULL */
};

extern const struct waitable waitables[];
extern const uint32_t waitable_count;

#endif
