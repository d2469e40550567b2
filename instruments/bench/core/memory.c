/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cost of a program's own memory calls, apart from all latencies: a page that is mapped on the
 * CPU under test at its first touch there, and the unmapping of memory that was touched there,
 * which that CPU must acknowledge before the call returns. The counterpart is Linux's page fault,
 * and its call that notifies the same CPU.
 */
#include <errno.h>
#include <sys/mman.h>

#include "bench/bench.h"
#include "bench/rows.h"

#define PAGE   4096u
#define PAGES  16u          /* unmapped at once */
#define STRIDE (2u * PAGES) /* so that no two pieces are neighbours */

struct pieces {
	volatile char *memory; /* NULL: there is none */
	uint64_t count;
	uint32_t pages; /* touched in each piece */
	double touched_ns;
};

static size_t bytes_of(const struct pieces *pieces)
{
	return pieces->count * STRIDE * PAGE;
}

static struct pieces fresh(uint64_t count, uint32_t pages)
{
	struct pieces pieces = {.count = count, .pages = pages};
	void *memory = mmap(NULL, bytes_of(&pieces), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	/* PREEMPT_RT has no huge pages, and does not know the advice. */
	if (memory == MAP_FAILED ||
	    (madvise(memory, bytes_of(&pieces), MADV_NOHUGEPAGE) && errno != EINVAL))
		(void)bench_failed("mapping memory", -errno);
	else
		pieces.memory = memory;
	return pieces;
}

static volatile char *piece(const struct pieces *pieces, uint64_t index)
{
	return pieces->memory + index * STRIDE * PAGE;
}

static void touch(void *argument)
{
	struct pieces *pieces = argument;
	const double begin_ns = bench_now_ns();

	for (uint64_t i = 0; i < pieces->count; i++)
		for (uint32_t page = 0; page < pieces->pages; page++)
			piece(pieces, i)[page * PAGE] = 1;
	pieces->touched_ns = bench_now_ns() - begin_ns;
}

static int touch_as_task(struct pieces *pieces)
{
	struct bench_task task = {touch, pieces, BENCH_PRIORITY, 0, {0}};

	return bench_tasks_run(&task, 1);
}

static int touch_as_thread(struct pieces *pieces)
{
	return bench_thread_run(touch, pieces);
}

/* Times the touches, in ns, or below 0. */
static double time_touch(const struct pieces *pieces)
{
	return pieces->touched_ns;
}

static double time_unmap(const struct pieces *pieces)
{
	const double begin_ns = bench_now_ns();

	for (uint64_t i = 0; i < pieces->count; i++)
		if (munmap((void *)piece(pieces, i), (size_t)PAGES * PAGE))
			return bench_failed("unmapping", -errno);
	return bench_now_ns() - begin_ns;
}

static double run(uint64_t operations, uint32_t pages, int (*touched)(struct pieces *pieces),
		  double (*timed)(const struct pieces *pieces))
{
	struct pieces pieces = fresh(operations, pages);
	double ns;

	if (!pieces.memory)
		return -1;
	ns = touched(&pieces) ? -1 : timed(&pieces);
	(void)munmap((void *)pieces.memory, bytes_of(&pieces));
	return ns;
}

static double run_touch(uint64_t operations)
{
	return run(operations, 1, touch_as_task, time_touch);
}

static double run_touch_peer(uint64_t operations)
{
	return run(operations, 1, touch_as_thread, time_touch);
}

static double run_unmap(uint64_t operations)
{
	return run(operations, PAGES, touch_as_task, time_unmap);
}

static double run_unmap_peer(uint64_t operations)
{
	return run(operations, PAGES, touch_as_thread, time_unmap);
}

const struct bench_row core_touch = {
	.name = "core_touch",
	.what = "a task's first touch of a page of new memory",
	.peer = "the same by a thread on the CPU, under SCHED_FIFO if that is allowed",
	.operations = 64,
	.peer_operations = 64,
	.rounds = 7,
	.run = run_touch,
	.peer_run = run_touch_peer,
};

const struct bench_row core_unmap = {
	.name = "core_unmap",
	.what = "a Linux thread unmaps 64 KiB that a task has touched",
	.peer = "the same, if a thread on the CPU has touched the memory",
	.operations = 16,
	.peer_operations = 16,
	.rounds = 7,
	.run = run_unmap,
	.peer_run = run_unmap_peer,
};
