/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of a shadow. Records are there for good, and have several lives. */
#ifndef SHADOW_RECORD_H
#define SHADOW_RECORD_H

#include "policy.h"
#include "program.h"

/* The Linux thread of a full task. The kernel thread's GS base is self. */
struct hal_shadow {
	struct hal_self self;
	void *owner;
	_Atomic(struct hal_context *) run; /* the next context to go on with */
	struct hal_context loop;           /* shadow_loop() while a task's context runs here */
	struct hal_context end;            /* what its task was when it was stopped */
	uintptr_t own_stack;               /* of an adopted thread: where it was then */
	uintptr_t end_stack;               /* of one: the bottom of the memory where it ends */
	size_t end_bytes;                  /* of that */
	uintptr_t stack_base, stack_top;   /* of one: its stack */
	uintptr_t to_hold;                 /* of that, what is to be there and locked soon, */
	_Atomic size_t to_hold_bytes;      /* and how much */
	uint64_t tls;                      /* 0: ended */
	uint32_t memory_rights;            /* as it began */
	struct hal_shadow *next;           /* of the ended ones */
	uint64_t mask;    /* the task's signal mask, kept while the shadow is parked */
	uint64_t watched; /* the signals that it hears of while it is parked */
	struct shadow_signals *signals; /* tells of those: wait.c; NULL: it looks */
	bool watches;                   /* they are in the set */
	bool watches_files;             /* its task's are, or were */
	int event_fd;
	int epoll_fd;
	uint32_t still_rounds;  /* in how many of the housekeeper's it was here and did not run; */
	uint32_t borrow_rounds; /* for how many more it may be on a real-time CPU (cpu_borrow.c) */
	bool notified;          /* the owner, of a signal */
	_Atomic bool notifying; /* the owner is being told (notify.c) */
	_Atomic bool ended;     /* the owner is no more: nothing is to be told */
	bool short_stay;        /* the last one was */
	_Atomic bool asleep;    /* send a message */
	_Atomic bool traps;     /* its calls do (thread/trap.c) */
	bool doomed;            /* they did: mask is kept for its end; by its own thread, as is */
	uint64_t doomed_mask;   /* what is blocked until then */
	uint32_t tid;
	_Atomic uint32_t
		priority; /* that its task is to have here, whatever rebalance.c makes of it */
	_Atomic uint32_t linux_level; /* what Linux was told last */
	_Atomic bool parked;          /* no context was given to it since it parked */
	_Atomic bool stands_back;     /* not above its task, though it is */
	bool adopted;
	bool confined; /* of an adopted one: its affinity was changed, as it was adopted; */
	bool borrowed; /* or since, by cpu_borrow.c */
	bool unwinds;  /* of an adopted one: the stack that its task left, as it ends */
	stack_t fault_stack;
	struct hal_stack loop_stack;
	struct linux_policy former_policy;
	cpu_set_t former_affinity;
	char name[16];
	_Atomic uint32_t ready;
	struct hal_shadow *known; /* shadow_first_known(); from here on kept by the next life */
	_Atomic uint32_t stay;    /* odd: its task is here; by its own thread */
	uint32_t stay_seen;       /* by the housekeeper, in its last round: that, */
	uint64_t ran_ns;          /* and the thread's processor time */
	_Atomic uint64_t took_ns; /* what it took of a CPU in the last round (rebalance.c) */
};

/*
 * Blocked while parked. Cancellation (32) is, though the C library would not have it so: its
 * handler may unwind the stack it runs on, which has to be the task's. A blocked 33 would hang
 * setuid().
 */
#define SHADOW_PARKED_MASK (~LINUX_BIT(LINUX_SIGNAL_SETXID))

/* Of hal_shadow.stay. */
#define SHADOW_IS_HERE(stay) ((stay) % 2 != 0)

/* All records that ever were, the next one by `known`: there for good, ended or not. */
struct hal_shadow *shadow_first_known(void);

/* A record for a new life, or NULL: no memory. */
struct hal_shadow *shadow_record_get(void);
void shadow_record_put(struct hal_shadow *record);

#endif
