/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hand-over between two processes, which is the dispatch of a process: each waits for its own turn.
 * The tasks of Tactus are in one process, so the hand-over between two tasks stands beside it: a
 * program can be divided into real-time processes or into tasks.
 */
#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/pair.h"
#include "bench/rows.h"

static tact_sem_t object[2];
static sem_t *turn; /* two, in memory that both processes share */

PAIR_INLINE void task_give(int side)
{
	bench_pair_error |= tact_sem_post(object[side]);
}

PAIR_INLINE void task_take(int side)
{
	bench_pair_error |= tact_sem_wait(object[side], TACT_FOREVER);
}

PAIR_INLINE void process_give(int side)
{
	bench_pair_error |= sem_post(&turn[side]);
}

PAIR_INLINE void process_take(int side)
{
	while (sem_wait(&turn[side]) < 0 && errno == EINTR)
		;
}

static void task_lead(void *pair)
{
	pair_lead(pair, task_give, task_take);
}

static void task_follow(void *pair)
{
	pair_follow(pair, task_give, task_take);
}

/* The child of a thread inherits its CPU and scheduling class. */
static void process_lead(void *arg)
{
	struct pair *pair = arg;
	const pid_t child = fork();
	int status = 1;

	if (child == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		pair_follow(pair, process_give, process_take);
		_exit(bench_pair_error != 0);
	}
	if (child < 0) {
		bench_pair_error = -errno;
		return;
	}
	pair_lead(pair, process_give, process_take);
	if (waitpid(child, &status, 0) != child || status != 0)
		bench_pair_error = -TACT_EFAULT;
}

static int open_turns(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++) {
		int error = tact_sem_create(NULL, 0, 1, TACT_PRIO, &object[side]);

		if (error)
			return bench_failed("tact_sem_create()", error);
	}
	turn = mmap(NULL, 2 * sizeof(*turn), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		    0);
	if (turn == MAP_FAILED || sem_init(&turn[0], 1, 0) < 0 || sem_init(&turn[1], 1, 0) < 0)
		return bench_failed("mmap()", -errno);
	return 0;
}

static void close_turns(void)
{
	for (int side = 0; side < 2; side++)
		(void)tact_sem_delete(object[side]);
}

static double run(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_NO_LINUX, task_lead, task_follow);
}

static double run_peer(uint64_t operations)
{
	struct pair pair = {.turns = (operations + 1) / 2};

	bench_pair_error = 0;
	if (bench_thread_run(process_lead, &pair))
		return -1;
	return bench_pair_error ? (double)bench_failed("a hand-over", bench_pair_error) : pair.ns;
}

const struct bench_row dispatch_process = {
	.name = "dispatch_process",
	.what = "hand-over between two full tasks, one way",
	.peer = "process-shared sem_t between two processes under SCHED_FIFO on the same CPU",
	.operations = 50000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = open_turns,
	.run = run,
	.peer_run = run_peer,
	.close = close_turns,
};
