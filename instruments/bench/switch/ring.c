/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * N tasks or threads of one priority on one CPU that yield to each other in turn. The time is
 * divided by the observed switches, not by the yields: a scheduler may answer a yield by continuing
 * the caller. The float rows keep every task's vector registers in use: between two yields each
 * task computes with its own numbers, and the results are checked at the end.
 */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "bench/rows.h"

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
	uint32_t running; /* all are on one CPU and yield it at known places: no atomics needed */
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

/* The sum tends to twice the addend; after so many rounds it is that, to the last bit. */
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

/* The first member measures the time. */
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

/* The last one that is made opens the gate, so that all are ready when the first one yields. */
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
		tasks[i] = (struct bench_task){
			tactus_member, &ring.members[i], BENCH_PRIORITY, flags, {0}};
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

/* A row for a number of tasks: a thousand take more memory, and fewer rounds. */
#define ROW(name_, count_, kind_, run_, ...)                                             \
	const struct bench_row name_ = {                                                 \
		.name = #name_,                                                          \
		.what = "switch between " #count_ " " kind_ " tasks that yield in turn", \
		.peer = "sched_yield() between " #count_ " SCHED_FIFO pthreads",         \
		.operations = 100000,                                                    \
		.peer_operations = 20000,                                                \
		.rounds = (count_) < 1000 ? 15 : 5,                                      \
		.count = (count_),                                                       \
		.pool_bytes = (count_) < 1000 ? 0 : (size_t)16 << 20,                    \
		.run = run_,                                                             \
		.peer_run = run_threads,                                                 \
		__VA_ARGS__}
#define FULL(count)  ROW(switch_##count, count, "full", run_full, )
#define LIGHT(count) ROW(switch_light_##count, count, "light", run_light, )
/* Each task computes with doubles between its yields, on both sides. */
#define FLOAT(count) \
	ROW(switch_##count##_float, count, "full, computing", run_full, .variant = true, )

FULL(2);
FULL(10);
FULL(100);
FULL(1000);
FLOAT(2);
FLOAT(10);
FLOAT(100);
FLOAT(1000);
LIGHT(2);
LIGHT(10);
LIGHT(100);
LIGHT(1000);
