/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processor time of threads that compute, by all of its names: it belongs to the thread, and
 * grows. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

#define MS       1000000u
#define WORK     (5u * MS)
#define PATIENCE (20000ull * MS)

static clockid_t clock_of_worker;
static sem_t worked, asked;

static uint64_t used(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000000u +
	       (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1000u;
}

/* Until this clock has counted the time, however long that takes. */
static bool works(clockid_t clock, uint64_t ns)
{
	const uint64_t from = now_ns(clock), begin = now_ns(CLOCK_MONOTONIC);
	uint64_t last = from;

	while (last - from < ns && now_ns(CLOCK_MONOTONIC) - begin < PATIENCE) {
		uint64_t now;

		sched_yield();
		now = now_ns(clock);

		if (now < last)
			return false;
		last = now;
	}
	return last - from >= ns;
}

static uint64_t raw(void)
{
	struct timespec now = {0};

	syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *computes(void *argument)
{
	struct sched_param none = {0};
	uint64_t before;

	SHOW(is_task_if_expected());
	SHOW(pthread_getcpuclockid(pthread_self(), &clock_of_worker));
	SHOW(works(CLOCK_THREAD_CPUTIME_ID, WORK));
	SHOW(works(clock_of_worker, WORK));
	before = now_ns(CLOCK_THREAD_CPUTIME_ID);
	SHOW(before >= 2 * WORK);
	usleep(1000);
	SHOW(now_ns(clock_of_worker) >= before);
	/* There, Linux counts in its own ticks, and rounds. */
	SHOW(used() + MS >= before);
	SHOW(raw() >= before);
	sem_post(&worked);
	sem_wait(&asked);
	before = now_ns(CLOCK_THREAD_CPUTIME_ID);
	sched_setscheduler(0, SCHED_OTHER, &none);
	SHOW(is_no_task());
	SHOW(now_ns(CLOCK_THREAD_CPUTIME_ID) >= before);
	SHOW(works(CLOCK_THREAD_CPUTIME_ID, WORK));
	none.sched_priority = 10;
	sched_setscheduler(0, SCHED_FIFO, &none);
	SHOW(is_task_if_expected());
	SHOW(now_ns(CLOCK_THREAD_CPUTIME_ID) >= before + WORK);
	return argument;
}

int main(void)
{
	pthread_t thread;

	sem_init(&worked, 0, 0);
	sem_init(&asked, 0, 0);
	thread = fifo_thread(30, computes, NULL);
	sem_wait(&worked);
	SHOW(now_ns(clock_of_worker) >= 2 * WORK);
	SHOW(now_ns(CLOCK_PROCESS_CPUTIME_ID) >= 2 * WORK);
	sem_post(&asked);
	joined(thread);
	return 0;
}
