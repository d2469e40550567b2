/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Every sample of a run, without a loss: one ring for each task, with a single producer (the task)
 * and a single consumer (a thread without real-time priority). If a ring holds the whole run, it is
 * drained after the run; otherwise it is drained during the run, so that memory stays bounded. A
 * push into a full ring is counted, and the run has then failed.
 */
#ifndef COMMON_SAMPLES_H
#define COMMON_SAMPLES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* One release, in the form of the file (docs/spec/samples.md). */
struct sample {
	uint64_t release_ns; /* programmed release since the start of the run */
	int64_t latency_ns;  /* first instruction minus programmed release; below 0: early */
	uint32_t task;
	uint32_t overruns; /* releases of this task skipped right before this one */
};
_Static_assert(sizeof(struct sample) == 24, "the sample file has records of 24 bytes");

/* What the consumer has counted. */
struct sample_totals {
	uint64_t samples;
	uint64_t overruns;
	int64_t min_ns;
	int64_t max_ns;
	double sum_ns;
};

struct sample_ring {
	_Alignas(64) _Atomic uint64_t head; /* next to write; belongs to the producer */
	uint64_t lost;
	_Alignas(64) _Atomic uint64_t tail; /* next to read; belongs to the consumer */
	struct sample *records;
	uint64_t mask;
	struct sample_totals totals;
};

struct sample_store {
	struct sample_ring *rings;
	unsigned int count;
	FILE *file; /* NULL: totals only */
	const char *path;
	bool write_failed;
	bool draining; /* the consumer thread runs */
	pthread_t consumer;
	_Atomic bool stop;
	uint64_t drain_interval_ns;
};

/*
 * Make `count` rings; ring i takes `expected[i]` samples at `rate_hz[i]`. `path` may be NULL.
 * Returns 0, or -1 after one line on stderr.
 */
int samples_open(struct sample_store *store, unsigned int count, const uint64_t *expected,
		 const double *rate_hz, const char *path);

/* Start the consumer thread if the rings need one; it inherits the caller's CPUs. To be called
 * before the first push. Returns 0, or -1 after one line on stderr. */
int samples_start(struct sample_store *store);

/* Drain the rest, write the header, close. Returns 0, or -1 after one line on stderr. */
int samples_finish(struct sample_store *store, uint64_t start_ns);

/* The sum over all tasks; samples_lost() must be 0 for a valid run. */
struct sample_totals samples_totals(const struct sample_store *store);
uint64_t samples_lost(const struct sample_store *store);

void samples_close(struct sample_store *store);

/*
 * Take one sample. Context: the producer of `task`, of any kind. Cost: constant, no call.
 * An equal release_ns never comes twice from one task.
 */
static inline void samples_push(struct sample_store *store, uint32_t task, uint64_t release_ns,
				int64_t latency_ns, uint32_t overruns)
{
	struct sample_ring *ring = &store->rings[task];
	const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

	/* Pairs with the release of tail in drain_ring(): the slot has been read. */
	if (head - atomic_load_explicit(&ring->tail, memory_order_acquire) > ring->mask) {
		ring->lost++;
		return;
	}
	ring->records[head & ring->mask] = (struct sample){
		.release_ns = release_ns,
		.latency_ns = latency_ns,
		.task = task,
		.overruns = overruns,
	};
	/* Pairs with the acquire of head in drain_ring(): the record is complete. */
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
}

#endif
