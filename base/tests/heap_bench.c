/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Instrument: instructions of each single allocate and free under a random load of mixed sizes, as
 * median, p99 and maximum, and the time of a pair. The maximum is to be 4 medians at most.
 */
#include <signal.h>
#include <time.h>

#include "base/heap.h"
#include "check.h"
#include "instruction_count.h"

#define SLOTS   512
#define STEPPED 6000
#define TIMED   2000000

static _Alignas(64) unsigned char memory[1 << 20];
static struct base_heap heap;
static void *slots[SLOTS];

enum { ALLOC = 1, ALLOC_ALIGNED = 2, FREE = 3 };

static void set_up(void)
{
	base_heap_init(&heap);
	memset(slots, 0, sizeof(slots));
	/* Four regions, so that finding a block's region is part of the cost. */
	for (unsigned i = 0; i < 4; i++)
		expect("region", 0,
		       base_heap_add_region(&heap, memory + i * sizeof(memory) / 4,
					    sizeof(memory) / 4));
}

static size_t random_size(uint64_t *random)
{
	uint32_t shift = random_below(random, 13);

	return 1 + random_below(random, UINT32_C(2) << shift);
}

/* Drawn beforehand: what is stepped through costs thousands of times its time. */
static struct draw {
	void **slot;
	size_t size, alignment;
} draws[STEPPED];

static void step(struct instruction_counter *counter, void *argument)
{
	uint64_t random = 1;

	(void)argument;
	set_up();
	for (unsigned i = 0; i < STEPPED; i++) {
		draws[i].slot = &slots[random_below(&random, SLOTS)];
		draws[i].size = random_size(&random);
		draws[i].alignment = (size_t)32 << random_below(&random, 6);
	}
	raise(SIGSTOP);
	for (unsigned i = 0; i < STEPPED; i++) {
		void **slot = draws[i].slot;
		size_t size = draws[i].size;
		size_t alignment = draws[i].alignment;

		if (*slot) {
			counter->kind = FREE;
			(void)base_heap_free(&heap, *slot);
			counter->kind = 0;
			*slot = NULL;
		} else if (i % 8) {
			counter->kind = ALLOC;
			*slot = base_heap_alloc(&heap, size);
			counter->kind = 0;
		} else {
			counter->kind = ALLOC_ALIGNED;
			*slot = base_heap_alloc_aligned(&heap, alignment, size);
			counter->kind = 0;
		}
	}
}

static double time_pair_ns(void)
{
	struct timespec start, end;
	uint64_t random = 1;
	uint32_t done = 0;

	set_up();
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (unsigned i = 0; i < TIMED; i++) {
		void **slot = &slots[random_below(&random, SLOTS)];

		if (*slot) {
			done += !base_heap_free(&heap, *slot);
			*slot = NULL;
		} else {
			*slot = base_heap_alloc(&heap, random_size(&random));
		}
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	return ((double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec)) /
	       done;
}

int main(void)
{
	static const char *const names[COUNTER_KINDS] = {NULL, "allocate", "allocate aligned",
							 "free"};
	static instruction_histogram histogram;
	int error = instruction_count(step, NULL, histogram);

	if (error)
		printf("instructions not counted: %s\n", strerror(-error));
	for (unsigned kind = ALLOC; kind < COUNTER_KINDS && !error; kind++) {
		uint32_t median = instruction_quantile(histogram[kind], 0.5);
		uint32_t most = instruction_quantile(histogram[kind], 1);

		printf("%-17s instructions: median %u, p99 %u, max %u, max / median %.2f\n",
		       names[kind], median, instruction_quantile(histogram[kind], 0.99), most,
		       (double)most / median);
	}
	printf("allocate and free: %.1f ns a pair, random numbers included\n", time_pair_ns());
	return 0;
}
