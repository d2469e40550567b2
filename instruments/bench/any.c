/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Hand-over of the processor as in handoff.c, where each side waits for any of four objects; it is
 * the last one that comes.
 */
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bench.h"
#include "pair.h"
#include "rows.h"

#define OBJECTS 4
#define LAST    (OBJECTS - 1)

static struct tact_wait_item item[2][OBJECTS];
static tact_sem_t last[2];
static struct pollfd file[2][OBJECTS];

PAIR_INLINE void any_give(int side)
{
	bench_pair_error |= tact_sem_post(last[side]);
}

PAIR_INLINE void any_take(int side)
{
	struct tact_wait_item *taken;

	bench_pair_error |= tact_wait_any(item[side], OBJECTS, TACT_FOREVER, &taken);
	bench_pair_error |= taken != &item[side][LAST];
}

PAIR_INLINE void poll_give(int side)
{
	bench_pair_error |= eventfd_write(file[side][LAST].fd, 1);
}

PAIR_INLINE void poll_take(int side)
{
	eventfd_t value;

	bench_pair_error |= poll(file[side], OBJECTS, -1) != 1;
	bench_pair_error |= eventfd_read(file[side][LAST].fd, &value);
}

static void any_lead(void *pair)
{
	pair_lead(pair, any_give, any_take);
}

static void any_follow(void *pair)
{
	pair_follow(pair, any_give, any_take);
}

static void poll_lead(void *pair)
{
	pair_lead(pair, poll_give, poll_take);
}

static void poll_follow(void *pair)
{
	pair_follow(pair, poll_give, poll_take);
}

static int any_open(uint64_t operations)
{
	(void)operations;
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < OBJECTS; i++) {
			tact_sem_t sem;
			int result = tact_sem_create(NULL, 0, 1, TACT_PRIO, &sem);

			if (result)
				return bench_failed("tact_sem_create()", result);
			item[side][i] = tact_wait_sem(sem, (uint64_t)i);
			last[side] = sem;
			file[side][i].fd = eventfd(0, EFD_CLOEXEC);
			file[side][i].events = POLLIN;
			if (file[side][i].fd < 0)
				return bench_failed("eventfd()", -TACT_EAGAIN);
		}
	return 0;
}

static void any_close(void)
{
	for (int side = 0; side < 2; side++)
		for (int i = 0; i < OBJECTS; i++) {
			(void)tact_delete(item[side][i].object);
			(void)close(file[side][i].fd);
		}
}

static double any_full(uint64_t operations)
{
	return bench_pair_tasks(operations, TACT_TASK_NO_LINUX, any_lead, any_follow);
}

static double any_peer(uint64_t operations)
{
	return bench_pair_threads(operations, poll_lead, poll_follow);
}

const struct bench_row bench_handoff_any = {
	.name = "handoff_any",
	.what = "hand-over through one of four semaphores, full tasks, one way",
	.peer = "poll() of four eventfds, two SCHED_FIFO pthreads on the same CPU",
	.operations = 100000,
	.peer_operations = 8000,
	.rounds = 15,
	.open = any_open,
	.run = any_full,
	.peer_run = any_peer,
	.close = any_close,
};
