/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The word that the alternatives of a choice share. */
#include "call/alternative.h"

bool nuc_choice_end(_Atomic uint32_t *taken, uint32_t how)
{
	uint32_t open = NUC_CHOICE_OPEN;

	/* Acquire-release: a CPU that finds the choice ended also finds what its end has
	 * written. */
	return atomic_compare_exchange_strong_explicit(taken, &open, how, memory_order_acq_rel,
						       memory_order_acquire) ||
	       open == how;
}

bool nuc_alternative_claim(struct nuc_call *call)
{
	const struct nuc_alternative *alternative = nuc_alternative_of(call);

	return !nuc_is_alternative(call) || nuc_choice_end(alternative->taken, alternative->number);
}

bool nuc_alternative_is_lost(const struct nuc_call *call)
{
	const struct nuc_alternative *alternative =
		base_container_of(call, const struct nuc_alternative, call);
	uint32_t taken;

	if (!nuc_is_alternative(call))
		return false;
	taken = atomic_load_explicit(alternative->taken, memory_order_acquire);
	return taken != NUC_CHOICE_OPEN && taken != alternative->number;
}
