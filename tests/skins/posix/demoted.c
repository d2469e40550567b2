/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Another thread takes the policy of a real-time thread that computes: it gives way at once to the
 * threads that it kept from the CPU, although it makes no call at which it could notice that. On
 * one CPU, where no other thread makes room. Source: sched(7), pthread_setschedparam(3).
 */
#define _GNU_SOURCE
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "check.h"

static atomic_bool computing, enough, had_a_turn;
static sem_t begun;

static void *computes(void *unused)
{
	SHOW(is_task_if_expected());
	usleep(1000);
	atomic_store(&computing, true);
	while (!atomic_load_explicit(&enough, memory_order_relaxed))
		;
	return unused;
}

static void *wants_a_turn(void *unused)
{
	SHOW(is_task_if_expected());
	sem_post(&begun);
	while (!atomic_load(&computing))
		usleep(1000);
	atomic_store(&had_a_turn, true);
	return unused;
}

int main(int argc, char **argv)
{
	const struct sched_param none = {.sched_priority = 0};
	const uint64_t most_ns = 20000000000u;
	pthread_t computer, other;
	uint64_t begin_ns;

	/* As it has been from the start. */
	if (argc == 1) {
		stay_on_one_cpu();
		execl(argv[0], argv[0], "on one CPU", (char *)NULL);
	}
	sem_init(&begun, 0, 0);
	other = fifo_thread(40, wants_a_turn, NULL);
	sem_wait(&begun);
	computer = fifo_thread(50, computes, NULL);
	/* The time that Linux leaves to others beside real-time threads, once a second. */
	while (!atomic_load(&computing))
		usleep(1000);
	SHOW(atomic_load(&had_a_turn));
	SHOW(pthread_setschedparam(computer, SCHED_OTHER, &none));
	begin_ns = now_ns(CLOCK_MONOTONIC);
	while (!atomic_load(&had_a_turn) && now_ns(CLOCK_MONOTONIC) - begin_ns < most_ns)
		usleep(1000);
	SHOW(atomic_load(&had_a_turn));
	atomic_store(&enough, true);
	SHOW(pthread_join(computer, NULL));
	SHOW(pthread_join(other, NULL));
	return 0;
}
