/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * N of one priority on one CPU that yield to each other in turn. What is divided by is the switches
 * that were seen, not the yields that were made: a scheduler may answer a yield by going on with
 * the caller. The float rows keep every task's vector registers in use: each computes between two
 * yields with numbers of its own, and the results are checked at the end.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "rows.h"

#define LAPS_OF_WARM_UP 3u
#define FACTORS         4u

struct member {
	struct ring *ring;
	uint32_t number;
	double sums[FACTORS];
};

struct ring {
	uint32_t count;
	uint64_t laps; /* yields of each member */
	void (*yield)(void);
	struct member *members;
	uint32_t running; /* all are on one CPU and give it up in known places: no atomics needed */
	uint64_t switches;
	uint64_t began_switches;
	double began_ns, ns;
	uint64_t counted;
	tact_sem_t gate;
	pthread_barrier_t barrier;
};

static void tactus_yield(void)
{
	(void)tact_task_yield();
}

static void linux_yield(void)
{
	(void)sched_yield();
}

static void compute(struct member *member)
{
	for (unsigned int i = 0; i < FACTORS; i++)
		member->sums[i] = member->sums[i] * 0.5 + (double)(member->number + i + 1);
}

/* The sum tends to twice what is added; after so many rounds it is that, to the last bit. */
static bool computed_right(const struct member *member, uint64_t laps)
{
	for (unsigned int i = 0; i < FACTORS && laps > 64; i++)
		if (member->sums[i] != 2.0 * (double)(member->number + i + 1))
			return false;
	return true;
}

static void note_switch(struct ring *ring, uint32_t number)
{
	const uint32_t before = __atomic_exchange_n(&ring->running, number, __ATOMIC_RELAXED);

	if (before != number)
		__atomic_store_n(&ring->switches,
				 __atomic_load_n(&ring->switches, __ATOMIC_RELAXED) + 1,
				 __ATOMIC_RELAXED);
}

/* The first member keeps the time. */
static void go_round(struct member *member)
{
	struct ring *ring = member->ring;
	const bool floating = bench.row->variant;

	for (uint64_t lap = 0; lap < LAPS_OF_WARM_UP + ring->laps; lap++) {
		if (member->number == 0 && lap == LAPS_OF_WARM_UP) {
			ring->began_switches = ring->switches;
			ring->began_ns = bench_now_ns();
		}
		if (floating)
			compute(member);
		ring->yield();
		note_switch(ring, member->number);
	}
	if (member->number == 0) {
		ring->ns = bench_now_ns() - ring->began_ns;
		ring->counted = ring->switches - ring->began_switches;
	}
}

/* The last one to be made opens the gate, so that all are ready when the first one yields. */
static void tactus_member(void *arg)
{
	struct member *member = arg;

	if (member->number + 1 < member->ring->count)
		(void)tact_sem_wait(member->ring->gate, TACT_FOREVER);
	else
		(void)tact_sem_broadcast(member->ring->gate);
	go_round(member);
}

static void linux_member(void *arg)
{
	struct member *member = arg;

	(void)pthread_barrier_wait(&member->ring->barrier);
	go_round(member);
}

/* Nanoseconds of all operations, from the time of a switch. */
static double outcome(const struct ring *ring, uint64_t operations)
{
	for (uint32_t i = 0; bench.row->variant && i < ring->count; i++)
		if (!computed_right(&ring->members[i], ring->laps)) {
			(void)bench_failed("a floating-point result after a switch", -TACT_EFAULT);
			return -1;
		}
	if (ring->counted == 0) {
		(void)bench_failed("yielding: there was no switch; it", -TACT_EAGAIN);
		return -1;
	}
	return ring->ns / (double)ring->counted * (double)operations;
}

static int prepare(struct ring *ring, uint64_t operations, void (*yield)(void))
{
	*ring = (struct ring){
		.count = bench.row->count,
		.laps = operations / bench.row->count + 1,
		.yield = yield,
		.members = calloc(bench.row->count, sizeof(*ring->members)),
	};
	if (ring->members == NULL)
		return bench_failed("calloc()", -TACT_ENOMEM);
	for (uint32_t i = 0; i < ring->count; i++)
		ring->members[i] = (struct member){.ring = ring, .number = i};
	return 0;
}

static double run_tasks(uint64_t operations, uint32_t flags)
{
	struct ring ring;
	struct bench_task *tasks;
	double ns = -1;

	if (prepare(&ring, operations, tactus_yield) < 0)
		return -1;
	tasks = calloc(ring.count, sizeof(*tasks));
	if (tasks == NULL || tact_sem_create(NULL, 0, 1, TACT_FIFO, &ring.gate) != 0) {
		(void)bench_failed("preparing the ring", -TACT_ENOMEM);
		goto release;
	}
	for (uint32_t i = 0; i < ring.count; i++)
		tasks[i] = (struct bench_task){tactus_member, &ring.members[i], BENCH_PRIORITY,
					       flags, 0};
	if (bench_tasks_run(tasks, ring.count) == 0)
		ns = outcome(&ring, operations);
	(void)tact_sem_delete(ring.gate);

release:
	free(tasks);
	free(ring.members);
	return ns;
}

static double run_full(uint64_t operations)
{
	return run_tasks(operations, TACT_TASK_NO_LINUX);
}

static double run_light(uint64_t operations)
{
	return run_tasks(operations, TACT_TASK_LIGHT);
}

static double run_threads(uint64_t operations)
{
	struct ring ring;
	struct bench_thread *threads;
	double ns = -1;

	if (prepare(&ring, operations, linux_yield) < 0)
		return -1;
	threads = calloc(ring.count, sizeof(*threads));
	if (threads == NULL) {
		(void)bench_failed("calloc()", -TACT_ENOMEM);
		goto release;
	}
	(void)pthread_barrier_init(&ring.barrier, NULL, ring.count);
	for (uint32_t i = 0; i < ring.count; i++)
		threads[i] = (struct bench_thread){linux_member, &ring.members[i], 0, false};
	if (bench_threads_run(threads, ring.count) == 0)
		ns = outcome(&ring, operations);
	(void)pthread_barrier_destroy(&ring.barrier);

release:
	free(threads);
	free(ring.members);
	return ns;
}

const struct bench_row switch_2 = {
	.name = "switch_2",
	.what = "switch between 2 full tasks that yield in turn",
	.peer = "sched_yield() between 2 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 2,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_2_float = {
	.name = "switch_2_float",
	.what = "the same, each computing with doubles between yields",
	.peer = "the same between 2 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 2,
	.variant = true,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_10 = {
	.name = "switch_10",
	.what = "switch between 10 full tasks that yield in turn",
	.peer = "sched_yield() between 10 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 10,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_10_float = {
	.name = "switch_10_float",
	.what = "the same, each computing with doubles between yields",
	.peer = "the same between 10 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 10,
	.variant = true,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_100 = {
	.name = "switch_100",
	.what = "switch between 100 full tasks that yield in turn",
	.peer = "sched_yield() between 100 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 100,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_100_float = {
	.name = "switch_100_float",
	.what = "the same, each computing with doubles between yields",
	.peer = "the same between 100 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 100,
	.variant = true,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_1000 = {
	.name = "switch_1000",
	.what = "switch between 1000 full tasks that yield in turn",
	.peer = "sched_yield() between 1000 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 5,
	.count = 1000,
	.pool_bytes = (size_t)16 << 20,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_1000_float = {
	.name = "switch_1000_float",
	.what = "the same, each computing with doubles between yields",
	.peer = "the same between 1000 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 5,
	.count = 1000,
	.pool_bytes = (size_t)16 << 20,
	.variant = true,
	.run = run_full,
	.peer_run = run_threads,
};

const struct bench_row switch_light_2 = {
	.name = "switch_light_2",
	.what = "switch between 2 light tasks that yield in turn",
	.peer = "sched_yield() between 2 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 2,
	.run = run_light,
	.peer_run = run_threads,
};

const struct bench_row switch_light_10 = {
	.name = "switch_light_10",
	.what = "switch between 10 light tasks that yield in turn",
	.peer = "sched_yield() between 10 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 10,
	.run = run_light,
	.peer_run = run_threads,
};

const struct bench_row switch_light_100 = {
	.name = "switch_light_100",
	.what = "switch between 100 light tasks that yield in turn",
	.peer = "sched_yield() between 100 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 15,
	.count = 100,
	.run = run_light,
	.peer_run = run_threads,
};

const struct bench_row switch_light_1000 = {
	.name = "switch_light_1000",
	.what = "switch between 1000 light tasks that yield in turn",
	.peer = "sched_yield() between 1000 SCHED_FIFO pthreads",
	.operations = 100000,
	.peer_operations = 20000,
	.rounds = 5,
	.count = 1000,
	.pool_bytes = (size_t)16 << 20,
	.run = run_light,
	.peer_run = run_threads,
};
