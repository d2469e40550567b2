/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Instrument: cancel and arm of random victims at random deadlines, the head excluded, with 10 and
 * with 1 000 000 timers armed: time, instructions, and both ratios; beside them what one dependent
 * read of a random timer costs in the same memory, which no queue can hide from a random cancel.
 *   timerq_bench          the table
 *   timerq_bench N PAIRS  one run of PAIRS without a clock, for callgrind: the difference of two
 * runs
 */
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <time.h>

#include "base/timerq.h"
#include "check.h"
#include "instruction_count.h"

#define FEW     10
#define MANY    1000000
#define BATCHES 41
#define PAIRS   20000
#define STEPPED 2000

/* A timer as it lies in an object: a cache line of its own. */
struct object {
	_Alignas(64) struct base_timer timer;
};

struct bench {
	struct base_timerq queue;
	struct object *objects;
	uint32_t count;
	uint64_t random;
};

static void *chunk_alloc(void *context, size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	(void)context;
	return memory == MAP_FAILED ? NULL : memory;
}

/* Timer 0 expires first at any time: the head never changes. */
static void set_up(struct bench *bench, uint32_t count)
{
	bench->count = count;
	bench->random = 1;
	bench->objects = aligned_alloc(64, count * sizeof(struct object));
	if (!bench->objects) {
		fprintf(stderr, "timerq_bench: no memory for %u timers\n", count);
		exit(1);
	}
	base_timerq_init(&bench->queue, chunk_alloc, NULL);
	for (uint32_t i = 0; i < count; i++) {
		base_timer_init(&bench->objects[i].timer);
		expect("reserve", 0, base_timerq_reserve(&bench->queue));
		base_timerq_arm(&bench->queue, &bench->objects[i].timer,
				i ? next_random(&bench->random) | 1 : 0);
	}
}

static inline struct base_timer *victim(struct bench *bench, uint64_t *deadline_ns)
{
	uint64_t draw = next_random(&bench->random);

	*deadline_ns = next_random(&bench->random) | 1;
	return &bench->objects[1 + ((draw >> 32) * (bench->count - 1) >> 32)].timer;
}

static void run_pairs(struct bench *bench, uint32_t pairs)
{
	for (uint32_t i = 0; i < pairs; i++) {
		uint64_t deadline_ns;
		struct base_timer *timer = victim(bench, &deadline_ns);

		base_timerq_cancel(&bench->queue, timer);
		base_timerq_arm(&bench->queue, timer, deadline_ns);
	}
}

static int compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a;
	double right = *(const double *)b;

	return (left > right) - (left < right);
}

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The median over batches: a stolen millisecond spoils one of them. */
static double time_pairs(struct bench *bench)
{
	double batch_ns[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		double start_ns = now_ns();

		run_pairs(bench, PAIRS);
		batch_ns[i] = (now_ns() - start_ns) / PAIRS;
	}
	qsort(batch_ns, BATCHES, sizeof(batch_ns[0]), compare_doubles);
	return batch_ns[BATCHES / 2];
}

/* Each address depends on what the read before returned: the latency of memory, not its bandwidth.
 */
static double time_dependent_reads(struct bench *bench)
{
	double batch_ns[BATCHES];

	for (int i = 0; i < BATCHES; i++) {
		double start_ns = now_ns();

		for (uint32_t n = 0; n < PAIRS; n++) {
			uint64_t deadline_ns;

			bench->random += victim(bench, &deadline_ns)->position;
		}
		batch_ns[i] = (now_ns() - start_ns) / PAIRS;
	}
	qsort(batch_ns, BATCHES, sizeof(batch_ns[0]), compare_doubles);
	return batch_ns[BATCHES / 2];
}

static void step_pairs(struct instruction_counter *counter, void *argument)
{
	/* Drawn beforehand: what is stepped through costs thousands of times its time. */
	static struct draw {
		struct base_timer *timer;
		uint64_t deadline_ns;
	} draws[STEPPED];
	struct bench *bench = argument;

	for (uint32_t i = 0; i < STEPPED; i++)
		draws[i].timer = victim(bench, &draws[i].deadline_ns);
	raise(SIGSTOP);
	for (uint32_t i = 0; i < STEPPED; i++) {
		struct base_timer *timer = draws[i].timer;
		uint64_t deadline_ns = draws[i].deadline_ns;

		counter->kind = 1;
		base_timerq_cancel(&bench->queue, timer);
		base_timerq_arm(&bench->queue, timer, deadline_ns);
		counter->kind = 0;
	}
}

static double report(uint32_t count, double *instructions)
{
	static instruction_histogram histogram;
	struct bench bench;
	double pair_ns;
	int error;

	set_up(&bench, count);
	pair_ns = time_pairs(&bench);
	error = instruction_count(step_pairs, &bench, histogram);
	*instructions = instruction_mean(histogram[1]);
	printf("%8u armed: %6.1f ns a pair (one dependent read: %.1f ns)", count, pair_ns,
	       time_dependent_reads(&bench));
	if (error)
		printf(", instructions not counted: %s\n", strerror(-error));
	else
		printf(", %.1f instructions (p99 %u, max %u)\n", *instructions,
		       instruction_quantile(histogram[1], 0.99),
		       instruction_quantile(histogram[1], 1));
	return pair_ns;
}

int main(int argc, char **argv)
{
	double few_instructions, many_instructions;
	double few_ns, many_ns;

	if (argc == 3) {
		struct bench bench;
		unsigned long count = strtoul(argv[1], NULL, 10);
		unsigned long pairs = strtoul(argv[2], NULL, 10);

		if (count < 2 || count > 100 * (unsigned long)MANY || pairs > UINT32_MAX) {
			fprintf(stderr, "timerq_bench: N from 2 to 100000000, PAIRS below 2^32\n");
			return 2;
		}
		set_up(&bench, (uint32_t)count);
		run_pairs(&bench, (uint32_t)pairs);
		return 0;
	}
	if (argc != 1) {
		fprintf(stderr, "usage: timerq_bench [N PAIRS]\n");
		return 2;
	}
	few_ns = report(FEW, &few_instructions);
	many_ns = report(MANY, &many_instructions);
	printf("   ratio: %.2f in time", many_ns / few_ns);
	if (few_instructions > 0)
		printf(", %.2f in instructions", many_instructions / few_instructions);
	printf("\n");
	return 0;
}
