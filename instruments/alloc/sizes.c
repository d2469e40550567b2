/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One piece of memory of one size: allocate, write to every page of it, free. The writing is part
 * of it: a system that hands out pages when they are touched is otherwise the quickest of all.
 * Beside the mean of a round, the figures worst_ns and peer_worst_ns say what the longest piece
 * took.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "bench/bench.h"
#include "rows.h"

#define HEAP_BYTES  (4u << 20)
#define PAGE_BYTES  4096u
#define POOL_BLOCKS 64u

struct loop {
	uint64_t operations;
	double ns, worst_ns;
	int error;
};

static _Alignas(64) char memory[HEAP_BYTES];
static tact_heap_t heap;
static tact_pool_t pool;
static double worst_ns, peer_worst_ns;

static void touch(void *piece, uint32_t bytes)
{
	for (uint32_t at = 0; at < bytes; at += PAGE_BYTES)
		((volatile char *)piece)[at] = 1;
}

static void account(struct loop *loop, double *last_ns)
{
	const double now_ns = bench_now_ns();

	if (now_ns - *last_ns > loop->worst_ns)
		loop->worst_ns = now_ns - *last_ns;
	*last_ns = now_ns;
}

static void from_heap(void *arg)
{
	struct loop *loop = arg;
	const double start_ns = bench_now_ns();
	double last_ns = start_ns;

	for (uint64_t i = 0; i < loop->operations && !loop->error; i++) {
		void *piece;

		loop->error = tact_heap_alloc(heap, bench.row->count, TACT_NOWAIT, &piece);
		if (!loop->error) {
			touch(piece, bench.row->count);
			loop->error = tact_heap_free(heap, piece);
		}
		account(loop, &last_ns);
	}
	loop->ns = last_ns - start_ns;
}

static void from_pool(void *arg)
{
	struct loop *loop = arg;
	const double start_ns = bench_now_ns();
	double last_ns = start_ns;

	for (uint64_t i = 0; i < loop->operations && !loop->error; i++) {
		void *piece;

		loop->error = tact_pool_get(pool, TACT_NOWAIT, &piece);
		if (!loop->error) {
			touch(piece, bench.row->count);
			loop->error = tact_pool_put(pool, piece);
		}
		account(loop, &last_ns);
	}
	loop->ns = last_ns - start_ns;
}

static void from_libc(void *arg)
{
	struct loop *loop = arg;
	const double start_ns = bench_now_ns();
	double last_ns = start_ns;

	for (uint64_t i = 0; i < loop->operations && !loop->error; i++) {
		void *piece = malloc(bench.row->count);

		loop->error = piece ? 0 : -TACT_ENOMEM;
		if (piece)
			touch(piece, bench.row->count);
		free(piece);
		account(loop, &last_ns);
	}
	loop->ns = last_ns - start_ns;
}

static void from_kernel(void *arg)
{
	struct loop *loop = arg;
	const double start_ns = bench_now_ns();
	double last_ns = start_ns;

	for (uint64_t i = 0; i < loop->operations && !loop->error; i++) {
		void *piece = mmap(NULL, bench.row->count, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		loop->error = piece == MAP_FAILED ? -TACT_ENOMEM : 0;
		if (!loop->error) {
			touch(piece, bench.row->count);
			(void)munmap(piece, bench.row->count);
		}
		account(loop, &last_ns);
	}
	loop->ns = last_ns - start_ns;
}

static int open_memory(uint64_t operations)
{
	int error = bench.row->variant
			    ? tact_pool_create(NULL, bench.row->count, POOL_BLOCKS, NULL, TACT_PRIO,
					       &pool)
			    : tact_heap_create(NULL, memory, sizeof(memory), TACT_PRIO, &heap);

	(void)operations;
	return error ? bench_failed("making heap or pool", error) : 0;
}

static void close_memory(void)
{
	(void)tact_delete(bench.row->variant ? pool : heap);
}

static double outcome(const struct loop *loop, const char *figure, double *worst)
{
	if (loop->error)
		return (double)bench_failed("allocating or freeing", loop->error);
	if (loop->worst_ns > *worst)
		*worst = loop->worst_ns;
	bench_figure(figure, *worst);
	return loop->ns;
}

static double run(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	if (bench_task_run(bench.row->variant ? from_pool : from_heap, &loop))
		return -1;
	return outcome(&loop, "worst_ns", &worst_ns);
}

static double run_peer(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	if (bench_thread_run(from_libc, &loop))
		return -1;
	return outcome(&loop, "peer_worst_ns", &peer_worst_ns);
}

static double run_kernel(uint64_t operations)
{
	struct loop loop = {.operations = operations};

	if (bench_thread_run(from_kernel, &loop))
		return -1;
	return outcome(&loop, "peer_worst_ns", &peer_worst_ns);
}

const struct bench_row alloc_64 = {
	.name = "alloc_64",
	.what = "64 bytes of a heap: allocate, write to each page, free",
	.peer = "malloc(), the same, free()",
	.operations = 20000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 64,
	.open = open_memory,
	.run = run,
	.peer_run = run_peer,
	.close = close_memory,
};

const struct bench_row alloc_4096 = {
	.name = "alloc_4096",
	.what = "4096 bytes of a heap: allocate, write to each page, free",
	.peer = "malloc(), the same, free()",
	.operations = 20000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 4096,
	.open = open_memory,
	.run = run,
	.peer_run = run_peer,
	.close = close_memory,
};

const struct bench_row alloc_65536 = {
	.name = "alloc_65536",
	.what = "65536 bytes of a heap: allocate, write to each page, free",
	.peer = "malloc(), the same, free()",
	.operations = 20000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 65536,
	.open = open_memory,
	.run = run,
	.peer_run = run_peer,
	.close = close_memory,
};

const struct bench_row alloc_1048576 = {
	.name = "alloc_1048576",
	.what = "1048576 bytes of a heap: allocate, write to each page, free",
	.peer = "malloc(), the same, free()",
	.operations = 2000,
	.peer_operations = 2000,
	.rounds = 15,
	.count = 1048576,
	.open = open_memory,
	.run = run,
	.peer_run = run_peer,
	.close = close_memory,
};

const struct bench_row alloc_map_1048576 = {
	.name = "alloc_map_1048576",
	.what = "1048576 bytes of a heap: allocate, write to each page, free",
	.peer = "mmap(), the same, munmap()",
	.operations = 2000,
	.peer_operations = 200,
	.rounds = 15,
	.count = 1048576,
	.open = open_memory,
	.run = run,
	.peer_run = run_kernel,
	.close = close_memory,
};

const struct bench_row alloc_block_64 = {
	.name = "alloc_block_64",
	.what = "a block of 64 bytes of a pool: get, write, put",
	.peer = "malloc() of 64 bytes, write, free()",
	.operations = 20000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 64,
	.variant = true,
	.open = open_memory,
	.run = run,
	.peer_run = run_peer,
	.close = close_memory,
};
