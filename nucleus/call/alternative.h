/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Alternatives: the calls of a choice (choice.h), as objects and queues see them. An alternative
 * waits in the queue of an object like any other call. Before it is given anything, it has to be
 * claimed; only one alternative of a choice ever is.
 */
#ifndef NUC_ALTERNATIVE_H
#define NUC_ALTERNATIVE_H

#include <tactus/select.h>

#include "call/call_types.h"

/* Size of the largest call record of a type that can be chosen from. */
#define NUC_ALTERNATIVE_BYTES (sizeof(struct nuc_call) + 48)

/* What a type does for alternatives: entered in struct nuc_type_ops. Context: home CPU of the
 * object, stalled. */
struct nuc_choice_ops {
	/*
	 * Take what the item asks for, if it is there and nuc_alternative_claim() allows it;
	 * otherwise queue the call by nuc_wait(). Returns the result of the item, NUC_WAITING,
	 * NUC_LOST (the choice has ended), or the error of nuc_wait(). call: that of a struct
	 * nuc_alternative.
	 */
	int (*take)(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call,
		    const struct tact_wait_item *item);
	/* The item was taken: what it received beside its result. NULL: nothing. Context: any. */
	uint64_t (*value)(const struct nuc_call *call);
	bool returns_0; /* on success, whatever the result of the alternative */
};

/* Result of an alternative that gets nothing, because its choice has ended. */
#define NUC_LOST (-(1 << 30) + 1)

struct nuc_alternative {
	/* First: the record of the call, as the type of the object defines it. */
	union {
		struct nuc_call call;
		char record[NUC_ALTERNATIVE_BYTES];
	};
	struct nuc_choice *choice;
	_Atomic uint32_t *taken; /* of the choice: how it ended */
	/* Completes the call. Context: the CPU of its object, stalled. */
	void (*answer)(struct nuc_cpu *cpu, struct nuc_call *call, int result);
	const struct nuc_choice_ops *ops; /* NULL: its object was not found */
	uint32_t number;                  /* 1 for the first item */
	uint8_t queued;   /* it has waited in a queue; written before the walk goes on */
	uint8_t answered; /* it no longer waits; written by the home of the choice */
};

/* How a choice ended, in the word that its alternatives share: by the alternative of this number,
 * or without one (the wait was broken, or nothing was there). */
#define NUC_CHOICE_OPEN  0u
#define NUC_CHOICE_BREAK UINT32_MAX

static inline struct nuc_alternative *nuc_alternative_of(struct nuc_call *call)
{
	return base_container_of(call, struct nuc_alternative, call);
}

static inline bool nuc_is_alternative(const struct nuc_call *call)
{
	return !call->run;
}

/* End a choice if it is open. True: it ended in this way, now or before. */
bool nuc_choice_end(_Atomic uint32_t *taken, uint32_t how);

/*
 * May this call be given something? True for the first alternative of a choice that asks, and again
 * for the same one; the caller then has to complete it. Always true for a call that is no
 * alternative.
 */
bool nuc_alternative_claim(struct nuc_call *call);

/* Has the choice of this call ended by something else? */
bool nuc_alternative_is_lost(const struct nuc_call *call);

#endif
