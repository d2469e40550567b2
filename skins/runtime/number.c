/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Maps of numbers: see number.h. */
#include "runtime/number.h"

#include <stdbool.h>
#include <stdlib.h>

#include <tactus/error.h>

/* The place of a number within the range of the map, which grows up to there; NULL: no memory. */
static runtime_number_t *place(const struct runtime_numbers *numbers, uint32_t number)
{
	for (;;) {
		runtime_number_t *slot = base_growing_at(numbers->places, number);
		void *chunk;

		if (slot)
			return slot;
		chunk = calloc(1, base_growing_chunk_bytes(numbers->places));
		if (!chunk)
			return NULL;
		if (!base_growing_add(numbers->places, base_growing_count(numbers->places), chunk))
			free(chunk);
	}
}

static bool claim(runtime_number_t *slot)
{
	struct runtime_record *none = NULL;

	return atomic_compare_exchange_strong_explicit(slot, &none, RUNTIME_CLAIMED,
						       memory_order_acq_rel, memory_order_relaxed);
}

int runtime_number_claim(const struct runtime_numbers *numbers, int number)
{
	runtime_number_t *slot;

	if (number <= 0 || number > numbers->max)
		return -TACT_EINVAL;
	slot = place(numbers, (uint32_t)number);
	if (!slot)
		return -TACT_ENOMEM;
	return claim(slot) ? 0 : -TACT_EEXIST;
}

int runtime_number_claim_any(const struct runtime_numbers *numbers)
{
	for (int number = 1; number <= numbers->max; number++) {
		const int error = runtime_number_claim(numbers, number);

		if (error != -TACT_EEXIST)
			return error ? error : number;
	}
	return -TACT_ENOSPC;
}

void runtime_number_bind(const struct runtime_numbers *numbers, int number,
			 struct runtime_record *record)
{
	runtime_number_t *slot = base_growing_at(numbers->places, (uint32_t)number);

	/* Release: pairs with the acquire of runtime_number_record(). */
	atomic_store_explicit(slot, record, memory_order_release);
}

void runtime_number_release(const struct runtime_numbers *numbers, int number,
			    struct runtime_record *record)
{
	runtime_number_t *slot = base_growing_at(numbers->places, (uint32_t)number);

	(void)atomic_compare_exchange_strong_explicit(slot, &record, NULL, memory_order_acq_rel,
						      memory_order_relaxed);
}
