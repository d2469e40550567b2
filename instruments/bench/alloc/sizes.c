/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One piece of memory of one size: allocate, write to every page of it, free. The writing is a part
 * of it, because otherwise a system that supplies pages at their first touch would be the quickest.
 * Beside the mean of a round, the figures worst_ns and peer_worst_ns are the times of the slowest
 * piece.
 */
#include <stdlib.h>
#include <sys/mman.h>

#include "bench/bench.h"
#include "bench/rows.h"

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

/* Inlined with its two calls, so that the four ways do not differ otherwise. */
static inline __attribute__((always_inline)) void allocate(struct loop *loop,
							   void *(*take)(struct loop *loop),
							   int (*give)(void *piece))
{
	const double start_ns = bench_now_ns();
	double last_ns = start_ns;

	for (uint64_t i = 0; i < loop->operations && !loop->error; i++) {
		void *piece = take(loop);

		if (!loop->error) {
			touch(piece, bench.row->count);
			loop->error = give(piece);
		}
		account(loop, &last_ns);
	}
	loop->ns = last_ns - start_ns;
}

static void *heap_take(struct loop *loop)
{
	void *piece = NULL;

	loop->error = tact_heap_alloc(heap, bench.row->count, TACT_NOWAIT, &piece);
	return piece;
}

static int heap_give(void *piece)
{
	return tact_heap_free(heap, piece);
}

static void from_heap(void *arg)
{
	allocate(arg, heap_take, heap_give);
}

static void *pool_take(struct loop *loop)
{
	void *piece = NULL;

	loop->error = tact_pool_get(pool, TACT_NOWAIT, &piece);
	return piece;
}

static int pool_give(void *piece)
{
	return tact_pool_put(pool, piece);
}

static void from_pool(void *arg)
{
	allocate(arg, pool_take, pool_give);
}

static void *libc_take(struct loop *loop)
{
	void *piece = malloc(bench.row->count);

	loop->error = piece ? 0 : -TACT_ENOMEM;
	return piece;
}

static int libc_give(void *piece)
{
	free(piece);
	return 0;
}

static void from_libc(void *arg)
{
	allocate(arg, libc_take, libc_give);
}

static void *kernel_take(struct loop *loop)
{
	void *piece = mmap(NULL, bench.row->count, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	loop->error = piece == MAP_FAILED ? -TACT_ENOMEM : 0;
	return piece;
}

static int kernel_give(void *piece)
{
	(void)munmap(piece, bench.row->count);
	return 0;
}

static void from_kernel(void *arg)
{
	allocate(arg, kernel_take, kernel_give);
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
	(void)tact_delete(bench.row->variant ? tact_object(pool) : tact_object(heap));
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

#define ROW(name_, count_, operations_, peer_operations_, peer_run_, what_, peer_, ...) \
	const struct bench_row name_ = {.name = #name_,                                 \
					.what = what_,                                  \
					.peer = peer_,                                  \
					.operations = operations_,                      \
					.peer_operations = peer_operations_,            \
					.rounds = 15,                                   \
					.count = (count_),                              \
					.open = open_memory,                            \
					.run = run,                                     \
					.peer_run = peer_run_,                          \
					.close = close_memory,                          \
					__VA_ARGS__}
#define HEAP_WHAT(count) #count " bytes of a heap: allocate, write to each page, free"
#define HEAP(count, operations)                                                       \
	ROW(alloc_##count, count, operations, operations, run_peer, HEAP_WHAT(count), \
	    "malloc(), the same, free()", )

HEAP(64, 20000);
HEAP(4096, 20000);
HEAP(65536, 20000);
HEAP(1048576, 2000);
ROW(alloc_map_1048576, 1048576, 2000, 200, run_kernel, HEAP_WHAT(1048576),
    "mmap(), the same, munmap()", );
ROW(alloc_block_64, 64, 20000, 20000, run_peer, "a block of 64 bytes of a pool: get, write, put",
    "malloc() of 64 bytes, write, free()", .variant = true, );
