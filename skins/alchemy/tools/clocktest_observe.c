/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A clock beside Linux's time of day, from each CPU. */
#define _GNU_SOURCE
#include "clocktest.h"

#include <errno.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include <tactus/tact.h>

#define ROUND_US   100000
#define TRIES      10
#define ROUND_LOOK 1000 /* readings of each CPU in a round, for warps */

static const struct clocktest_clock *tested;
static pthread_spinlock_t one_at_a_time;
static uint64_t last_ns; /* that any CPU has read; under the lock */
static sem_t placed;     /* once for each CPU */
static _Atomic bool over;

static uint64_t read_clock(void)
{
	struct timespec now;

	if (tested->number == CLOCK_REALTIME)
		return tact_wall_now().ns;
	if (tested->id == CLOCK_MONOTONIC)
		return tact_now().ns;
	clock_gettime(tested->id, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t time_of_day(void)
{
	struct timeval now;

	gettimeofday(&now, NULL);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_usec * 1000u;
}

/* Of several tries the one that was interrupted least. */
static int64_t offset_now(uint64_t *at_ns)
{
	uint64_t shortest = UINT64_MAX;
	int64_t offset = 0;

	for (int i = 0; i < TRIES; i++) {
		uint64_t before = read_clock();
		uint64_t day = time_of_day();
		uint64_t after = read_clock();

		if (after - before >= shortest)
			continue;
		shortest = after - before;
		offset = (int64_t)(before + (after - before) / 2 - day);
		*at_ns = before;
	}
	return offset;
}

static void look_for_warps(struct clocktest_seen *seen)
{
	for (int i = 0; i < ROUND_LOOK; i++) {
		uint64_t now = 0;
		int64_t back;

		pthread_spin_lock(&one_at_a_time);
		now = read_clock();
		back = (int64_t)(last_ns - now);
		last_ns = now;
		pthread_spin_unlock(&one_at_a_time);
		if (back <= 0)
			continue;
		seen->warps++;
		if (back > seen->worst_ns)
			seen->worst_ns = back;
	}
}

static void *observe(void *arg)
{
	struct clocktest_seen *seen = arg;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(seen->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		seen->error = errno;
	(void)sem_post(&placed);
	while (!seen->error && !atomic_load(&over)) {
		uint64_t now = 0;
		int64_t offset = offset_now(&now);

		if (!seen->again) {
			seen->again = true;
			seen->first_offset_ns = offset;
			seen->first_ns = now;
		} else if (now > seen->first_ns) {
			seen->drift = (double)(offset - seen->first_offset_ns) /
				      (double)(now - seen->first_ns);
		}
		seen->offset_ns = (double)offset;
		look_for_warps(seen);
		usleep(ROUND_US);
	}
	return NULL;
}

int clocktest_observe(const struct clocktest_clock *clock, struct clocktest_seen *seen, int count)
{
	tested = clock;
	(void)pthread_spin_init(&one_at_a_time, PTHREAD_PROCESS_PRIVATE);
	(void)sem_init(&placed, 0, 0);
	for (int i = 0; i < count; i++)
		if (pthread_create(&seen[i].thread, NULL, observe, &seen[i])) {
			fputs("clocktest: no thread can be made for each CPU\n", stderr);
			return -1;
		}
	for (int i = 0; i < count; i++)
		while (sem_wait(&placed))
			;
	for (int i = 0; i < count; i++)
		if (seen[i].error) {
			fprintf(stderr, "clocktest: the clock of CPU %d cannot be read: %s\n",
				seen[i].cpu, strerror(seen[i].error));
			return -1;
		}
	return 0;
}

void clocktest_end(struct clocktest_seen *seen, int count)
{
	atomic_store(&over, true);
	for (int i = 0; i < count; i++)
		(void)pthread_join(seen[i].thread, NULL);
}
