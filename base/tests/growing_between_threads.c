/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads read a table while others grow it: each element is there as its chunk's adder has written
 * it, without another word between them. Then the table is compared with a model, element by
 * element. Meant for TSan as well.
 */
#include <pthread.h>

#include "base/growing.h"
#include "check.h"

#define GROWERS 3
#define READERS 3
#define BITS    4u
#define CHUNKS  300u

struct element {
	uint64_t number; /* plain: written before the chunk is added, and never again */
	char filler[13];
};
BASE_GROWING(table, struct element, BITS, CHUNKS);

static uint64_t number_of(uint32_t index)
{
	uint64_t state = index;

	return next_random(&state);
}

static void fill(struct element *chunk, uint32_t count)
{
	for (uint32_t i = 0; i < 1u << BITS; i++)
		chunk[i].number = number_of(count + i);
}

static void *grow(void *unused)
{
	for (;;) {
		const uint32_t count = base_growing_count(&table);
		struct element *chunk;

		if (!base_growing_may_grow(&table, count))
			return unused;
		chunk = calloc(1, base_growing_chunk_bytes(&table));
		expect("memory", true, chunk != NULL);
		fill(chunk, count);
		if (!base_growing_add(&table, count, chunk))
			free(chunk);
	}
}

/* What is counted is there, and what is there stays where it is. */
static void *read_all(void *seed)
{
	const struct element *first = base_growing_at(&table, 0);
	uint64_t random = (uintptr_t)seed;
	uint32_t count;

	do {
		count = base_growing_count(&table);
		for (uint32_t i = 0; i < 64; i++) {
			const uint32_t index = random_below(&random, count);
			const struct element *element = base_growing_at(&table, index);

			expect("is there", true, element != NULL);
			expect("number", (int64_t)number_of(index), (int64_t)element->number);
		}
		expect_pointer("its place", first, base_growing_at(&table, 0));
	} while (count < CHUNKS << BITS);
	return NULL;
}

static void compare_with_model(void)
{
	static const struct element *model[CHUNKS << BITS];

	for (uint32_t i = 0; i < CHUNKS << BITS; i++) {
		model[i] = base_growing_at(&table, i);
		expect("index", i, base_growing_index(&table, model[i]));
		expect("number", (int64_t)number_of(i), (int64_t)model[i]->number);
		if (i % (1u << BITS))
			expect_pointer("side by side", model[i - 1] + 1, model[i]);
	}
	expect("full", false, base_growing_may_grow(&table, base_growing_count(&table)));
	expect_pointer("nothing behind it", NULL, base_growing_at(&table, CHUNKS << BITS));
	expect_pointer("nothing at the last index", NULL, base_growing_at(&table, UINT32_MAX));
}

int main(void)
{
	pthread_t thread[GROWERS + READERS];

	fill(table_first, 0);
	for (unsigned i = 0; i < GROWERS + READERS; i++)
		expect("thread", 0,
		       pthread_create(&thread[i], NULL, i < GROWERS ? grow : read_all,
				      (void *)(uintptr_t)i));
	for (unsigned i = 0; i < GROWERS + READERS; i++)
		expect("join", 0, pthread_join(thread[i], NULL));
	compare_with_model();
	return 0;
}
