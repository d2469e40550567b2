/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a shadow holds for the files of this folder, a structure for each of them. */
#ifndef SHADOW_RECORD_SHADOW_H
#define SHADOW_RECORD_SHADOW_H

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/context.h"
#include "policy.h"

struct shadow_signals;

/* How it is given a context: parked.c. */
struct shadow_park {
	_Atomic(struct hal_context *) run; /* the next context to go on with */
	_Atomic bool asleep;               /* it needs a message */
	bool short_stay;                   /* the last stay was short */
	bool notified;                     /* the owner was told of a signal */
};

/* What it waits with while it is parked: wait.c. */
struct shadow_wait {
	uint64_t watched;               /* the signals that it is told of meanwhile */
	struct shadow_signals *signals; /* reports those; NULL: the shadow looks */
	bool watches;                   /* they are in the epoll set */
	bool watches_files;             /* files of its task are in it, or were */
	int event_fd;                   /* parked.c sends and takes the messages */
	int epoll_fd;
};

/* What it reports: notify.c. */
struct shadow_notify {
	_Atomic bool notifying; /* the owner is being told */
	_Atomic bool ended;     /* the owner is gone: nothing may be told; parked.c writes it */
};

/* Of an attached thread: attach.c. */
struct shadow_attached {
	struct hal_context end;          /* the context of its task when it was stopped */
	uintptr_t own_stack;             /* its place when it was attached */
	uintptr_t end_stack;             /* the bottom of the memory where it ends */
	size_t end_bytes;                /* of that */
	uintptr_t stack_base, stack_top; /* its stack */
	uintptr_t to_hold;               /* the part of it that must be there and locked soon, */
	_Atomic size_t to_hold_bytes;    /* and how much */
	struct hal_stack loop_stack;
	struct linux_policy former_policy;
	cpu_set_t former_affinity;
	bool confined; /* the attachment changed its affinity */
	bool unwinds;  /* its end unwinds the stack of the task */
};

#endif
