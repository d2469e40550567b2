/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Event flags: what a group is made of, for groups of both kinds. In a group with TACT_EVENT_RULES
 * all waiters are in `ruled`; in any other group they are in `waiters`. Context of everything here:
 * the group's home CPU, stalled.
 */
#ifndef NUC_EVENT_H
#define NUC_EVENT_H

#include <tactus/event_rule.h>

#include "call/wait.h"
#include "object/object.h"

struct nuc_event {
	struct nuc_object object;
	struct nuc_waitq waiters;
	uint64_t bits;
	uint64_t releases;      /* how often waiters were looked at */
	uint8_t kind;           /* TACT_EVENT_SINGLE, TACT_EVENT_RULES */
	struct nuc_waitq ruled; /* of tact_event_wait() or by rule */
};

struct nuc_event_wait_call {
	struct nuc_call call;
	uint64_t bits;
	uint32_t how;
	uint64_t received;
};

static inline struct nuc_event *nuc_event_of(struct nuc_object *object)
{
	return base_container_of(object, struct nuc_event, object);
}

static inline struct nuc_event_wait_call *nuc_event_wait_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_event_wait_call, call);
}

/* Is a further waiter refused? */
static inline bool nuc_event_is_busy(const struct nuc_event *event)
{
	return event->kind & TACT_EVENT_SINGLE && (event->waiters.count || event->ruled.count);
}

static inline bool nuc_event_are_set(uint64_t bits, const struct nuc_event_wait_call *args)
{
	uint64_t found = bits & args->bits;

	return args->how & TACT_EVENT_ALL ? found == args->bits : found != 0;
}

static inline void nuc_event_take(uint64_t *bits, struct nuc_event_wait_call *args)
{
	args->received = *bits;
	if (args->how & TACT_EVENT_CONSUME)
		*bits &= ~args->bits;
	if (args->how & TACT_EVENT_CLEAR_ALL)
		*bits = 0;
}

/* The bits have been changed in a group without rules: release the waiters whose bits are there.
 * Returns how many. */
int nuc_event_release(struct nuc_cpu *cpu, struct nuc_event *event);

/* The same in a group with rules. fleeting: bits that are cleared then. */
int nuc_event_rules_apply(struct nuc_cpu *cpu, struct nuc_event *event, uint64_t fleeting);

#endif
