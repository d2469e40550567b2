/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The record of a shadow. Records are never freed, and serve several shadows, one after another. */
#ifndef SHADOW_RECORD_H
#define SHADOW_RECORD_H

#include "program.h"
#include "shadow/record_secondary.h"
#include "shadow/record_shadow.h"
#include "shadow/record_thread.h"

/* The Linux thread of a full task. The kernel thread's GS base is self. The structures in it are of
 * the parts that work on it: `record_` and a folder is the header of what the folder owns. */
struct hal_shadow {
	struct hal_self self;
	void *owner;
	struct shadow_park park;
	struct hal_context loop; /* shadow_loop() while a task's context runs here */
	uint64_t tls;            /* 0: ended */
	uint64_t mask;           /* the task's signal mask, kept while the shadow is parked */
	struct shadow_wait wait;
	struct shadow_notify notify;
	_Atomic bool parked; /* no context was given to it since it parked */
	uint32_t tid;
	struct shadow_priority priority;
	struct shadow_trap trap;
	struct shadow_borrow borrow;
	uint32_t memory_rights; /* at its begin */
	stack_t fault_stack;
	struct shadow_attached attached;
	char name[16];
	_Atomic uint32_t ready;
	struct hal_shadow *next;  /* the next ended one */
	struct hal_shadow *known; /* shadow_first_known(); kept for the next shadow from here on */
	_Atomic uint32_t stay;    /* odd: its task is here; its own thread writes it */
	struct shadow_balance balance;
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
