/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hand-over of the processor, one way: give to the other, wait for one's own turn. Two tasks or
 * threads of one priority are on one CPU, so that on both sides each operation is a give, a take
 * and a switch.
 */
#include <semaphore.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bench.h"
#include "pair.h"
#include "rows.h"

static tact_sem_t sem[2];
static tact_event_t event[2];
static sem_t semaphore[2];
static int event_fd[2];

PAIR_INLINE void sem_give(int side)
{
	bench_pair_error |= tact_sem_post(sem[side]);
}

PAIR_INLINE void sem_take(int side)
{
	bench_pair_error |= tact_sem_wait(sem[side], TACT_FOREVER);
}

PAIR_INLINE void event_give(int side)
{
	bench_pair_error |= tact_event_set(event[side], 1) < 0;
}

PAIR_INLINE void event_take(int side)
{
	bench_pair_error |= tact_event_wait(event[side], 1, TACT_EVENT_ALL | TACT_EVENT_CONSUME,
					    TACT_FOREVER, NULL);
}

PAIR_INLINE void posix_give(int side)
{
	bench_pair_error |= sem_post(&semaphore[side]);
}

PAIR_INLINE void posix_take(int side)
{
	while (sem_wait(&semaphore[side]))
		;
}

PAIR_INLINE void eventfd_give(int side)
{
	bench_pair_error |= eventfd_write(event_fd[side], 1);
}

PAIR_INLINE void eventfd_take(int side)
{
	eventfd_t value;

	bench_pair_error |= eventfd_read(event_fd[side], &value);
}

static void sem_lead(void *pair)
{
	pair_lead(pair, sem_give, sem_take);
}

static void sem_follow(void *pair)
{
	pair_follow(pair, sem_give, sem_take);
}

static void event_lead(void *pair)
{
	pair_lead(pair, event_give, event_take);
}

static void event_follow(void *pair)
{
	pair_follow(pair, event_give, event_take);
}

static void posix_lead(void *pair)
{
	pair_lead(pair, posix_give, posix_take);
}

static void posix_follow(void *pair)
{
	pair_follow(pair, posix_give, posix_take);
}

static void eventfd_lead(void *pair)
{
	pair_lead(pair, eventfd_give, eventfd_take);
}

static void eventfd_follow(void *pair)
{
	pair_follow(pair, eventfd_give, eventfd_take);
}

static int sem_open_pair(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++) {
		int result = tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem[side]);

		if (result)
			return bench_failed("tact_sem_create()", result);
		(void)sem_init(&semaphore[side], 0, 0);
	}
	return 0;
}

static int event_open_pair(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++) {
		int result = tact_event_create(NULL, 0, TACT_PRIO, &event[side]);

		if (result)
			return bench_failed("tact_event_create()", result);
		event_fd[side] = eventfd(0, EFD_CLOEXEC);
		if (event_fd[side] < 0)
			return bench_failed("eventfd()", -TACT_EAGAIN);
	}
	return 0;
}

static void sem_close_pair(void)
{
	for (int side = 0; side < 2; side++)
		(void)tact_sem_delete(sem[side]);
}

static void event_close_pair(void)
{
	for (int side = 0; side < 2; side++)
		(void)tact_event_delete(event[side]);
}

static double sem_full(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_NO_LINUX, sem_lead, sem_follow);
}

static double sem_light(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_LIGHT, sem_lead, sem_follow);
}

static double sem_peer(uint64_t operations)
{
	return bench_pair_threads(operations, posix_lead, posix_follow);
}

static double event_full(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_NO_LINUX, event_lead, event_follow);
}

static double event_peer(uint64_t operations)
{
	return bench_pair_threads(operations, eventfd_lead, eventfd_follow);
}

#define SEM_PEER "sem_t (futex), two SCHED_FIFO pthreads on the same CPU"

const struct bench_row bench_handoff_sem = {
	.name = "handoff_sem",
	.what = "hand-over through a semaphore, full tasks, one way",
	.peer = SEM_PEER,
	.operations = 100000,
	.peer_operations = 8000,
	.rounds = 25,
	.open = sem_open_pair,
	.run = sem_full,
	.peer_run = sem_peer,
	.close = sem_close_pair,
};

const struct bench_row bench_handoff_sem_light = {
	.name = "handoff_sem_light",
	.what = "hand-over through a semaphore, light tasks, one way",
	.peer = SEM_PEER,
	.operations = 100000,
	.peer_operations = 8000,
	.rounds = 25,
	.open = sem_open_pair,
	.run = sem_light,
	.peer_run = sem_peer,
	.close = sem_close_pair,
};

const struct bench_row bench_event_set_wait = {
	.name = "event_set_wait",
	.what = "hand-over through event flags, full tasks, one way",
	.peer = "eventfd, two SCHED_FIFO pthreads on the same CPU",
	.operations = 100000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = event_open_pair,
	.run = event_full,
	.peer_run = event_peer,
	.close = event_close_pair,
};
