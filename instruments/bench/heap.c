/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory of mixed sizes: there are 512 places, and at each turn a random one is filled or emptied.
 * Both sides have the same sequence. */
#include <stdlib.h>

#include "bench.h"
#include "rows.h"

#define PLACES     512u
#define STEPS      8192u
#define HEAP_BYTES (4u << 20)

struct loop {
	uint64_t operations; /* pairs */
	double ns;
	int error;
};

static struct {
	uint16_t place;
	uint16_t bytes;
} steps[STEPS];
static void *places[PLACES];
static _Alignas(64) char memory[HEAP_BYTES];
static tact_heap_t heap;

static void tactus_pairs(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t pairs = 0, i = 0; pairs < loop->operations; i++) {
		void **place = &places[steps[i % STEPS].place];

		if (*place) {
			loop->error |= tact_heap_free(heap, *place);
			*place = NULL;
			pairs++;
		} else {
			loop->error |=
				tact_heap_alloc(heap, steps[i % STEPS].bytes, TACT_NOWAIT, place);
		}
	}
	loop->ns = bench_now_ns() - start_ns;
	for (unsigned int i = 0; i < PLACES; i++) {
		if (places[i])
			loop->error |= tact_heap_free(heap, places[i]);
		places[i] = NULL;
	}
}

static void libc_pairs(void *argument)
{
	struct loop *loop = argument;
	double start_ns = bench_now_ns();

	for (uint64_t pairs = 0, i = 0; pairs < loop->operations; i++) {
		void **place = &places[steps[i % STEPS].place];

		if (*place) {
			free(*place);
			*place = NULL;
			pairs++;
		} else {
			*place = malloc(steps[i % STEPS].bytes);
			loop->error |= !*place;
		}
	}
	loop->ns = bench_now_ns() - start_ns;
	for (unsigned int i = 0; i < PLACES; i++) {
		free(places[i]);
		places[i] = NULL;
	}
}

static int open_heap(uint64_t operations)
{
	uint64_t random = 3;
	int error = tact_heap_create(NULL, memory, sizeof(memory), TACT_PRIO, &heap);

	(void)operations;
	for (unsigned int i = 0; i < STEPS; i++) {
		uint32_t limit = 2u << (bench_random(&random) % 13);

		steps[i].place = (uint16_t)(bench_random(&random) % PLACES);
		steps[i].bytes = (uint16_t)(1 + bench_random(&random) % limit);
	}
	return error ? bench_failed("tact_heap_create()", error) : 0;
}

static double outcome(int error, const struct loop *loop)
{
	if (!error && loop->error)
		error = bench_failed("allocating or freeing", -TACT_ENOMEM);
	return error ? -1 : loop->ns;
}

static double run(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	return outcome(bench_task_run(tactus_pairs, &loop), &loop);
}

static double run_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	return outcome(bench_thread_run(libc_pairs, &loop), &loop);
}

static void close_heap(void)
{
	(void)tact_heap_delete(heap);
}

const struct bench_row bench_heap_alloc_free = {
	.name = "heap_alloc_free",
	.what = "heap, allocate and free, 1 to 8192 bytes, 512 places in random order",
	.peer = "malloc() and free(), the same sequence",
	.operations = 50000,
	.peer_operations = 50000,
	.rounds = 25,
	.open = open_heap,
	.run = run,
	.peer_run = run_peer,
	.close = close_heap,
};
