/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The switch between two contexts alone, below the nucleus: registers, stack, floating-point
 * control words and TLS base. It is measured on a plain Linux thread, whose TLS base one of the two
 * keeps.
 */
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "rows.h"
#include "arch/context.h"

#define STACK_BYTES 65536u
#define TLS_BYTES   4096u

struct ring {
	struct hal_context here, there;
	uint64_t turns;
	double ns;
};

static void *stack;
static char *other_tls;

static uint64_t own_tls(void)
{
	uint64_t base;

	/* The first word of the block is its own address: x86-64 ABI, thread-local storage. */
	__asm__("movq %%fs:0, %0" : "=r"(base));
	return base;
}

static void bounce(void *argument)
{
	struct ring *ring = argument;

	for (;;)
		hal_arch_switch(&ring->there, &ring->here);
}

static void time_switches(void *argument)
{
	struct ring *ring = argument;
	uint64_t tls = own_tls();
	double start_ns;

	/* The fields that compiled code reads (canary, self) are equal in the copy. */
	memcpy(other_tls, (const void *)tls, 128);
	memcpy(other_tls, &other_tls, sizeof(void *));
	ring->here.thread_pointer = bench.on_sim ? 0 : tls;
	hal_arch_prepare(&ring->there, stack, STACK_BYTES,
			 bench.on_sim ? 0 : (uint64_t)(uintptr_t)other_tls, bounce, ring);
	hal_arch_switch(&ring->here, &ring->there);
	start_ns = bench_now_ns();
	for (uint64_t i = 0; i < ring->turns; i++)
		hal_arch_switch(&ring->here, &ring->there);
	ring->ns = bench_now_ns() - start_ns;
	hal_arch_discard(&ring->there);
}

static void time_yields(void *argument)
{
	struct ring *ring = argument;
	double start_ns = bench_now_ns();

	for (uint64_t i = 0; i < ring->turns; i++)
		(void)sched_yield();
	ring->ns = bench_now_ns() - start_ns;
}

static int open_switch(uint64_t operations)
{
	(void)operations;
	stack = aligned_alloc(64, STACK_BYTES);
	other_tls = aligned_alloc(64, TLS_BYTES);
	return stack && other_tls ? 0 : bench_failed("aligned_alloc()", -TACT_ENOMEM);
}

static double run_switch(uint64_t operations)
{
	struct ring ring = {.turns = (operations + 1) / 2};

	return bench_thread_run(time_switches, &ring) ? -1 : ring.ns;
}

/* Two threads that only yield to each other: each call is a switch. */
static double run_yield(uint64_t operations)
{
	struct ring rings[2] = {{.turns = (operations + 1) / 2}, {.turns = (operations + 1) / 2}};
	const struct bench_thread threads[] = {{time_yields, &rings[0], 0, false},
					       {time_yields, &rings[1], 0, false}};

	if (bench_threads_run(threads, 2))
		return -1;
	return rings[0].ns < rings[1].ns ? rings[0].ns : rings[1].ns;
}

static void close_switch(void)
{
	free(stack);
	free(other_tls);
}

const struct bench_row bench_switch_raw = {
	.name = "switch_raw",
	.what = "switch of contexts with TLS base and MXCSR, without the nucleus",
	.peer = "sched_yield() between two SCHED_FIFO pthreads on the same CPU",
	.operations = 200000,
	.peer_operations = 20000,
	.rounds = 25,
	.open = open_switch,
	.run = run_switch,
	.peer_run = run_yield,
	.close = close_switch,
};
