/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that call, and who is called. */
#ifndef SKINS_SESSION_CALLER_H
#define SKINS_SESSION_CALLER_H

#include "internal.h"

struct session_owner {
	char node[SESSION_NODE_BYTES];
	int link; /* negative: it has ended, or there is none yet */
	struct session_owner *next;
};

struct channel {
	const struct session_owner *owner;
	int fd;
	uint64_t sequence;
	struct channel *next;
};

struct caller {
	uint64_t number;
	tact_task_t task;
	int wake; /* an eventfd: break what it is in */
	_Atomic bool calling;
	_Atomic bool broken;
	int cancel; /* its cancelability outside of calls */
	struct channel *channels;
	struct caller *next;
};

/* The calling thread's own; NULL: no memory or descriptor. */
struct caller *caller_self(void);
/* Its connection to an owner: 0, -EIDRM (that has ended), -ENOMEM. */
int caller_channel(struct caller *caller, const struct session_owner *owner,
		   struct channel **result);
void caller_end_channel(struct caller *caller, struct channel *channel);

#endif
