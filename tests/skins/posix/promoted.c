/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Another thread takes the policy of a real-time thread that computes, and gives it a higher one a
 * moment later, before the first one has made any call: no less urgent thread gets the CPU. On one
 * CPU. Source: sched(7), pthread_setschedparam(3).
 */
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"

#define MS 1000000u

static atomic_bool computing, enough, over, had_a_turn;
static sem_t begun;
static pthread_t computer;

static void sleep_ms(unsigned ms)
{
	const struct timespec time = {.tv_nsec = (long)ms * (long)MS};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

static void *computes(void *unused)
{
	SHOW(is_task_if_expected());
	sleep_ms(1);
	atomic_store(&computing, true);
	while (!atomic_load_explicit(&enough, memory_order_relaxed))
		;
	SHOW(atomic_load(&had_a_turn));
	atomic_store(&over, true);
	return unused;
}

static void *wants_a_turn(void *unused)
{
	SHOW(is_task_if_expected());
	sem_post(&begun);
	while (!atomic_load(&computing))
		sleep_ms(1);
	while (!atomic_load(&over)) {
		sleep_ms(1);
		if (atomic_load(&enough))
			break;
		atomic_store(&had_a_turn, true);
	}
	return unused;
}

static void *decides(void *unused)
{
	const struct sched_param none = {.sched_priority = 0}, high = {.sched_priority = 80};
	int error;

	SHOW(is_task_if_expected());
	sem_post(&begun);
	while (!atomic_load(&computing))
		sleep_ms(1);
	error = pthread_setschedparam(computer, SCHED_OTHER, &none);
	error |= pthread_setschedparam(computer, SCHED_FIFO, &high);
	sleep_ms(20);
	atomic_store(&enough, true);
	SHOW(error);
	return unused;
}

int main(int argc, char **argv)
{
	pthread_t other, third;

	/* As it has been from the start. */
	if (argc == 1) {
		stay_on_one_cpu();
		execl(argv[0], argv[0], "on one CPU", (char *)NULL);
	}
	sem_init(&begun, 0, 0);
	other = fifo_thread(40, wants_a_turn, NULL);
	sem_wait(&begun);
	third = fifo_thread(90, decides, NULL);
	sem_wait(&begun);
	computer = fifo_thread(50, computes, NULL);
	SHOW(pthread_join(computer, NULL));
	SHOW(pthread_join(other, NULL));
	SHOW(pthread_join(third, NULL));
	return 0;
}
