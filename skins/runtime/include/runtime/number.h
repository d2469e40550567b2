/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Numbers that the program chooses for its objects, as in µITRON. A map of numbers leads from a
 * number to a record (record.h). Each type of object has a map of its own.
 *
 * A number is claimed before the object is made, bound when the object exists, and released when
 * the object was deleted. A number that is claimed has no object. A number that was not released
 * leads to a record that is free, or is that of another object by now: the record has to tell its
 * number. There is no lock. Context of all calls, unless stated otherwise: any.
 */
#ifndef RUNTIME_NUMBER_H
#define RUNTIME_NUMBER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/growing.h"

struct runtime_record;

/* A place in a map; RUNTIME_CLAIMED: the number is claimed. */
typedef struct runtime_record *_Atomic runtime_number_t;
#define RUNTIME_CLAIMED ((struct runtime_record *)(uintptr_t)-1)

struct runtime_numbers {
	const struct base_growing *places;
	void *_Atomic *chunk; /* of the places, here for runtime_number_record() */
	int max;              /* numbers are 1 … max */
};

#define RUNTIME_NUMBERS_CHUNK_BITS 6u

/* Define the memory of a map; RUNTIME_NUMBERS_OF() is the map, an initialiser. */
#define RUNTIME_NUMBERS(NAME, MAX)                                       \
	BASE_GROWING(NAME, runtime_number_t, RUNTIME_NUMBERS_CHUNK_BITS, \
		     ((MAX) >> RUNTIME_NUMBERS_CHUNK_BITS) + 1)
#define RUNTIME_NUMBERS_OF(NAME, MAX)      \
	{                                  \
		&(NAME), NAME##_chunk, MAX \
	}

/* Claim a number. Returns 0, -TACT_EINVAL (out of range), -TACT_EEXIST (claimed or bound),
 * -TACT_ENOMEM (the map cannot grow). Context: task, linux. */
int runtime_number_claim(const struct runtime_numbers *numbers, int number);
/* Claim the smallest number that is free. Returns it, -TACT_ENOSPC (none is free), -TACT_ENOMEM.
 * Context: task, linux. */
int runtime_number_claim_any(const struct runtime_numbers *numbers);
/* Bind a claimed number to a record, or bind it to another one. */
void runtime_number_bind(const struct runtime_numbers *numbers, int number,
			 struct runtime_record *record);
/* The number is free again, if it is bound to this record or, with RUNTIME_CLAIMED, claimed. */
void runtime_number_release(const struct runtime_numbers *numbers, int number,
			    struct runtime_record *record);

/* The record that a number is bound to; NULL: none, or the number is out of range. As
 * base_growing_at(), for which the compiler knows the size of a chunk. */
static inline struct runtime_record *runtime_number_record(const struct runtime_numbers *numbers,
							   int number)
{
	runtime_number_t *chunk;
	struct runtime_record *record;

	if (__builtin_expect(number <= 0 || number > numbers->max, 0))
		return NULL;
	/* Acquire: pairs with the release of base_growing_add(), the chunk is zeroed there. */
	chunk = atomic_load_explicit(
		&numbers->chunk[(uint32_t)number >> RUNTIME_NUMBERS_CHUNK_BITS],
		memory_order_acquire);
	if (__builtin_expect(!chunk, 0))
		return NULL;
	/* Acquire: pairs with the release of runtime_number_bind(), the record is whole there. */
	record = atomic_load_explicit(&chunk[(uint32_t)number % (1u << RUNTIME_NUMBERS_CHUNK_BITS)],
				      memory_order_acquire);
	return __builtin_expect(record == RUNTIME_CLAIMED, 0) ? NULL : record;
}

#endif
