/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The consumer's side of the sample store. There is memory for the whole run up to RUN_BYTES, and
 * beyond that for BUFFER_S seconds. All of it is written once before the run, so that no push takes
 * a page fault.
 */
#include "common/samples.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/complain.h"
#include "common/clock.h"
#include "common/machine.h"

#define RUN_BYTES  (16u << 20)
#define BUFFER_S   8
#define MINIMUM    1024u
#define NO_MINIMUM INT64_MAX
#define NO_MAXIMUM INT64_MIN

struct sample_header {
	char magic[8];
	uint32_t version;
	uint32_t record_bytes;
	uint64_t start_ns; /* CLOCK_MONOTONIC */
	uint32_t tasks;
	uint32_t reserved;
};
_Static_assert(sizeof(struct sample_header) == 32, "the sample file has a header of 32 bytes");

static uint64_t power_of_two_above(uint64_t value)
{
	uint64_t power = MINIMUM;

	while (power < value)
		power *= 2;
	return power;
}

static int make_ring(struct sample_ring *ring, uint64_t capacity)
{
	ring->records = malloc(capacity * sizeof(struct sample));
	if (ring->records == NULL) {
		complain("no memory for %llu samples: measure fewer tasks, or a longer period",
			 (unsigned long long)capacity);
		return -1;
	}
	memset(ring->records, 0, capacity * sizeof(struct sample));
	ring->mask = capacity - 1;
	ring->totals.min_ns = NO_MINIMUM;
	ring->totals.max_ns = NO_MAXIMUM;
	return 0;
}

static int open_file(struct sample_store *store)
{
	const struct sample_header empty = {.version = 0};

	store->file = fopen(store->path, "wb");
	if (store->file == NULL || fwrite(&empty, sizeof(empty), 1, store->file) != 1) {
		complain("--samples %s: %s: name a file that can be written", store->path,
			 strerror(errno));
		return -1;
	}
	return 0;
}

int samples_open(struct sample_store *store, unsigned int count, const uint64_t *expected,
		 const double *rate_hz, const char *path)
{
	uint64_t all = 0;

	*store = (struct sample_store){.count = count, .path = path};
	for (unsigned int i = 0; i < count; i++)
		all += expected[i];
	store->draining = all * sizeof(struct sample) > RUN_BYTES;
	store->drain_interval_ns = (uint64_t)BUFFER_S * CLOCK_NS_PER_S / 16;
	store->rings = aligned_alloc(64, count * sizeof(struct sample_ring));
	if (store->rings == NULL) {
		complain("no memory for %u tasks", count);
		return -1;
	}
	memset(store->rings, 0, count * sizeof(struct sample_ring));
	for (unsigned int i = 0; i < count; i++) {
		const uint64_t buffered = (uint64_t)(rate_hz[i] * BUFFER_S);
		const uint64_t needed =
			store->draining && buffered < expected[i] ? buffered : expected[i];

		if (make_ring(&store->rings[i], power_of_two_above(needed + 1)) < 0)
			goto close_store;
	}
	if (path != NULL && open_file(store) < 0)
		goto close_store;
	return 0;

close_store:
	samples_close(store);
	return -1;
}

static void account(struct sample_totals *totals, const struct sample *sample)
{
	totals->samples++;
	totals->overruns += sample->overruns;
	totals->sum_ns += (double)sample->latency_ns;
	if (sample->latency_ns < totals->min_ns)
		totals->min_ns = sample->latency_ns;
	if (sample->latency_ns > totals->max_ns)
		totals->max_ns = sample->latency_ns;
}

static void drain_ring(struct sample_store *store, struct sample_ring *ring)
{
	uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	/* Pairs with the release of head in samples_push(). */
	const uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);

	for (; tail != head; tail++) {
		const struct sample *sample = &ring->records[tail & ring->mask];

		account(&ring->totals, sample);
		if (store->file != NULL && fwrite(sample, sizeof(*sample), 1, store->file) != 1)
			store->write_failed = true;
	}
	/* Pairs with the acquire of tail in samples_push(). */
	atomic_store_explicit(&ring->tail, tail, memory_order_release);
}

static void drain_all(struct sample_store *store)
{
	for (unsigned int i = 0; i < store->count; i++)
		drain_ring(store, &store->rings[i]);
}

static void *consumer_loop(void *arg)
{
	struct sample_store *store = arg;

	while (!atomic_load_explicit(&store->stop, memory_order_acquire)) {
		const struct timespec pause = clock_timespec(store->drain_interval_ns);

		(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
		drain_all(store);
	}
	return NULL;
}

int samples_start(struct sample_store *store)
{
	int error;

	if (!store->draining)
		return 0;
	error = pthread_create(&store->consumer, NULL, consumer_loop, store);
	if (error == 0)
		return 0;
	store->draining = false;
	complain("no thread for writing samples: %s: raise `ulimit -u`", strerror(error));
	return -1;
}

int samples_finish(struct sample_store *store, uint64_t start_ns)
{
	const struct sample_header header = {
		.magic = {'T', 'A', 'C', 'T', 'S', 'A', 'M', 'P'},
		.version = 1,
		.record_bytes = sizeof(struct sample),
		.start_ns = start_ns,
		.tasks = store->count,
	};

	if (store->draining) {
		/* Pairs with the acquire in consumer_loop(). */
		atomic_store_explicit(&store->stop, true, memory_order_release);
		(void)pthread_join(store->consumer, NULL);
		store->draining = false;
	}
	drain_all(store);
	if (store->file == NULL)
		return 0;
	/* The header comes last: a file without it is from a run that did not end. */
	if (fseek(store->file, 0, SEEK_SET) != 0 ||
	    fwrite(&header, sizeof(header), 1, store->file) != 1)
		store->write_failed = true;
	if (fclose(store->file) != 0)
		store->write_failed = true;
	store->file = NULL;
	if (store->write_failed) {
		complain("--samples %s: %s: samples are missing, free space and measure again",
			 store->path, strerror(errno));
		return -1;
	}
	return 0;
}

struct sample_totals samples_totals(const struct sample_store *store)
{
	struct sample_totals all = {.min_ns = NO_MINIMUM, .max_ns = NO_MAXIMUM};

	for (unsigned int i = 0; i < store->count; i++) {
		const struct sample_totals *one = &store->rings[i].totals;

		all.samples += one->samples;
		all.overruns += one->overruns;
		all.sum_ns += one->sum_ns;
		all.min_ns = one->min_ns < all.min_ns ? one->min_ns : all.min_ns;
		all.max_ns = one->max_ns > all.max_ns ? one->max_ns : all.max_ns;
	}
	return all;
}

uint64_t samples_lost(const struct sample_store *store)
{
	uint64_t lost = 0;

	for (unsigned int i = 0; i < store->count; i++)
		lost += store->rings[i].lost;
	return lost;
}

void samples_close(struct sample_store *store)
{
	if (store->file != NULL)
		(void)fclose(store->file);
	store->file = NULL;
	for (unsigned int i = 0; store->rings != NULL && i < store->count; i++)
		free(store->rings[i].records);
	free(store->rings);
	store->rings = NULL;
}
