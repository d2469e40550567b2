/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of a shadow. Records are never freed, and serve several shadows, one after another. */
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
	struct hal_context end;            /* the context of its task when it was stopped */
	uintptr_t own_stack; /* of an attached thread: its place when it was attached */
	uintptr_t end_stack; /* of such a thread: the bottom of the memory where it ends */
	size_t end_bytes;    /* of that */
	uintptr_t stack_base, stack_top; /* of such a thread: its stack */
	uintptr_t to_hold;               /* the part of it that must be there and locked soon, */
	_Atomic size_t to_hold_bytes;    /* and how much */
	uint64_t tls;                    /* 0: ended */
	uint32_t memory_rights;          /* at its begin */
	struct hal_shadow *next;         /* the next ended one */
	uint64_t mask;    /* the task's signal mask, kept while the shadow is parked */
	uint64_t watched; /* the signals that it is told of while it is parked */
	struct shadow_signals *signals; /* reports those: wait.c; NULL: the shadow looks */
	bool watches;                   /* they are in the epoll set */
	bool watches_files;             /* files of its task are in it, or were */
	int event_fd;
	int epoll_fd;
	uint32_t still_rounds;  /* for how many rounds it was here and did not run */
	uint32_t borrow_rounds; /* for how many more it may use the real-time CPUs (cpu_borrow.c) */
	bool notified;          /* the owner was told of a signal */
	_Atomic bool notifying; /* the owner is being told (notify.c) */
	_Atomic bool ended;     /* the owner is gone: nothing may be told */
	bool short_stay;        /* the last stay was short */
	_Atomic bool asleep;    /* it needs a message */
	_Atomic bool traps;     /* its calls trap (thread/trap.c) */
	bool doomed; /* they trapped: mask is kept for its end; its own thread writes it, and */
	uint64_t doomed_mask; /* the signals that are blocked until then */
	uint32_t tid;
	_Atomic uint32_t priority;    /* requested for its task here; rebalance.c may lower it */
	_Atomic uint32_t linux_level; /* what Linux was told last */
	_Atomic bool parked;          /* no context was given to it since it parked */
	_Atomic bool stands_back;     /* not above its task, although parked */
	bool attached;
	bool confined; /* of an attached one: the attachment changed its affinity; */
	bool borrowed; /* or cpu_borrow.c did since */
	bool unwinds;  /* of an attached one: its end unwinds the stack of the task */
	stack_t fault_stack;
	struct hal_stack loop_stack;
	struct linux_policy former_policy;
	cpu_set_t former_affinity;
	char name[16];
	_Atomic uint32_t ready;
	struct hal_shadow *known; /* shadow_first_known(); kept for the next shadow from here on */
	_Atomic uint32_t stay;    /* odd: its task is here; its own thread writes it */
	uint32_t stay_seen;       /* as the housekeeper read it in its last round, */
	uint64_t ran_ns;          /* with the thread's processor time */
	_Atomic uint64_t took_ns; /* time of a CPU that it took in the last round (rebalance.c) */
};

/*
 * Blocked while parked. Cancellation (32) is blocked, too, against the C library's intention: its
 * handler may unwind the stack on which it runs, and that must be the stack of the task. If 33 were
 * blocked, setuid() would hang.
 */
#define SHADOW_PARKED_MASK (~LINUX_BIT(LINUX_SIGNAL_SETXID))

/* Of hal_shadow.stay. */
#define SHADOW_IS_HERE(stay) ((stay) % 2 != 0)

/* All records that ever were made; `known` leads to the next one. They are never freed, also if the
 * shadow has ended. */
struct hal_shadow *shadow_first_known(void);

/* A record for a new shadow, or NULL: no memory. */
struct hal_shadow *shadow_record_get(void);
void shadow_record_put(struct hal_shadow *record);

#endif
