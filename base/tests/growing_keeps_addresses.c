/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Elements keep their addresses while the table grows, also by several threads at once. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/growing.h"

#define THREADS 4
#define CHUNKS  500u

struct element {
	_Atomic uint32_t owner;
	char filler[20];
};
BASE_GROWING(table, struct element, 3, CHUNKS);

static void expect(bool condition, const char *what)
{
	if (condition)
		return;
	fprintf(stderr, "expected: %s\n", what);
	exit(1);
}

static void *grow(void *unused)
{
	(void)unused;
	for (;;) {
		const uint32_t count = base_growing_count(&table);
		void *memory;

		if (!base_growing_may_grow(&table, count))
			return NULL;
		memory = calloc(1, base_growing_chunk_bytes(&table));
		expect(memory, "memory");
		if (!base_growing_add(&table, count, memory))
			free(memory);
	}
}

int main(void)
{
	pthread_t thread[THREADS];
	struct element *first = base_growing_at(&table, 7);

	expect(base_growing_count(&table) == 8, "one chunk at the start");
	expect(!base_growing_at(&table, 8), "no element behind the first chunk");
	expect(first == &table_first[7], "elements side by side");
	for (int i = 0; i < THREADS; i++)
		expect(!pthread_create(&thread[i], NULL, grow, NULL), "a thread");
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	expect(base_growing_count(&table) == 8 * CHUNKS, "all chunks");
	expect(base_growing_at(&table, 7) == first, "the same address");
	expect(!base_growing_at(&table, 8 * CHUNKS), "no element behind the last chunk");
	for (uint32_t i = 0; i < 8 * CHUNKS; i++) {
		struct element *element = base_growing_at(&table, i);

		expect(element && !atomic_exchange(&element->owner, i + 1), "its own memory");
		expect(base_growing_index(&table, element) == i, "its own index");
	}
	return 0;
}
