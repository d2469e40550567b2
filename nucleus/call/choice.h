/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A choice: a wait for one of several objects, which may be on several CPUs. Each object has an
 * *alternative* (alternative.h), which waits in the queue of its object like any other call. All
 * alternatives of a choice share one word, which says what ended the choice. Code that is about
 * to give something to an alternative has to set this word first, by a compare-and-swap. So exactly
 * one alternative gets something. An object passes over an alternative whose choice has ended, and
 * serves the next call instead: nothing that an object gives is ever on its way to a wait that has
 * ended.
 *
 *   - The objects are looked at in the order of the items. A message, the *walk*, goes from CPU to
 *     CPU; on the home CPU of each object the alternative takes what is there, or is queued.
 *   - The caller waits in a call of its own, which the *home* of the choice holds. Only this call
 *     has a timeout and can be broken; alternatives have no timeout and are not broken.
 *   - When the choice has ended, the home withdraws the alternatives that are still queued: a few
 *     of its own CPU at once, the others by message. The call ends only when all alternatives and
 *     messages are back, because they are in the memory of the caller.
 */
#ifndef NUC_CHOICE_H
#define NUC_CHOICE_H

#include "call/alternative.h"

struct nuc_choice {
	struct nuc_call call;   /* in which the caller waits */
	struct nuc_waitq queue; /* its only call is that one */
	struct nuc_message walk;
	struct nuc_cpu *home; /* CPU that holds the call */
	struct tact_wait_item *items;
	struct nuc_alternative *alternatives;
	uint32_t count;
	uint32_t next; /* the next item that the walk looks at */
	_Atomic uint32_t taken;
	int broken;     /* result after NUC_CHOICE_BREAK */
	uint32_t away;  /* alternatives that wait and messages about them, once the walk is back;
			   before that, less by those that have been answered */
	uint8_t looks;  /* does not wait: nothing is queued */
	uint8_t busy;   /* the walk is under way, or a step */
	uint8_t inside; /* the code that completes the call comes after this */
	uint8_t urgent; /* the urgency changed while the walk was under way */
	uint8_t withdrawn;
};

/* Prepare a choice for nuc_call(): on the CPU of this handle, without a wait if timeout is
 * TACT_NOWAIT. alternatives: one for each item, prepared here. */
void nuc_choice_init(struct nuc_choice *choice, uint32_t home, struct tact_wait_item *items,
		     struct nuc_alternative *alternatives, uint32_t count);

#endif
