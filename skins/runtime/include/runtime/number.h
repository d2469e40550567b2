/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers that the program chooses for its objects, as in µITRON and in VRTX. A map of numbers
 * leads from a number to the id of a record (record.h). Each type of object has a map of its own.
 *
 * A number is claimed before the object is made, bound when the object exists, and released when
 * the object was deleted. A number that is claimed has no object. There is no lock. Context of all
 * calls, unless stated otherwise: any.
 */
#ifndef RUNTIME_NUMBER_H
#define RUNTIME_NUMBER_H

#include <stdatomic.h>
#include <stdint.h>

#include "base/growing.h"

struct runtime_numbers {
	const struct base_growing *ids;
	int max; /* numbers are 1 … max */
};

#define RUNTIME_NUMBERS_CHUNK_BITS 6u

#define RUNTIME_NUMBERS(NAME, MAX)                                             \
	BASE_GROWING(NAME##_ids, _Atomic uint64_t, RUNTIME_NUMBERS_CHUNK_BITS, \
		     ((MAX) >> RUNTIME_NUMBERS_CHUNK_BITS) + 1);               \
	static const struct runtime_numbers NAME = {&NAME##_ids, MAX}

/* In the place of an id: the number is claimed. No record has this id. */
#define RUNTIME_CLAIMED UINT64_MAX

/* Claim a number. Returns 0, -TACT_EINVAL (out of range), -TACT_EEXIST (claimed or bound),
 * -TACT_ENOMEM (the map cannot grow). Context: task, linux. */
int runtime_number_claim(const struct runtime_numbers *numbers, int number);
/* Claim the smallest number that is free. Returns it, -TACT_ENOSPC (none is free), -TACT_ENOMEM.
 * Context: task, linux. */
int runtime_number_claim_any(const struct runtime_numbers *numbers);
/* Bind a claimed number to a record, or bind it to another one. */
void runtime_number_bind(const struct runtime_numbers *numbers, int number, uint64_t id);
/* The number is free again, if it is bound to this id or, with RUNTIME_CLAIMED, claimed. */
void runtime_number_release(const struct runtime_numbers *numbers, int number, uint64_t id);

/* The id that a number is bound to; 0: none, or the number is out of range. */
static inline uint64_t runtime_number_id(const struct runtime_numbers *numbers, int number)
{
	const _Atomic uint64_t *slot = number > 0 && number <= numbers->max
					       ? base_growing_at(numbers->ids, (uint32_t)number)
					       : NULL;
	/* Acquire: pairs with the release of runtime_number_bind(), the record is whole there. */
	const uint64_t id = slot ? atomic_load_explicit(slot, memory_order_acquire) : 0;

	return id == RUNTIME_CLAIMED ? 0 : id;
}

#endif
