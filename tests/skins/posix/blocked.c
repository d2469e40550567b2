/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Real-time threads that block every signal, or ignore all: they wait, call Linux and end. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static sem_t sem;
static pthread_mutex_t mutex;

static void *works(void *argument)
{
	struct timespec soon;
	long calls = 0;

	SHOW(is_task_if_expected());
	for (int i = 0; i < 50; i++) {
		calls += getppid() > 0;
		usleep(100);
		soon = later(CLOCK_REALTIME, 100000);
		pthread_mutex_lock(&mutex);
		sem_timedwait(&sem, &soon);
		pthread_mutex_unlock(&mutex);
	}
	SHOW(calls);
	return argument;
}

static void *computes(void *argument)
{
	uint64_t begin = now_ns(CLOCK_MONOTONIC);

	while (now_ns(CLOCK_MONOTONIC) - begin < 20000000)
		;
	return argument;
}

static void *waits(void *argument)
{
	sem_wait(&sem);
	return argument;
}

static void together(void)
{
	pthread_t low = fifo_thread(10, computes, NULL), high = fifo_thread(50, works, NULL);
	pthread_t ends = fifo_thread(60, waits, NULL);

	joined(high);
	joined(low);
	SHOW(pthread_cancel(ends));
	SHOW(joined(ends) == PTHREAD_CANCELED);
}

int main(void)
{
	pthread_mutexattr_t attributes;
	sigset_t all;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&mutex, &attributes);
	sem_init(&sem, 0, 0);
	sigfillset(&all);
	SHOW(pthread_sigmask(SIG_BLOCK, &all, NULL));
	together();
	SHOW(pthread_sigmask(SIG_UNBLOCK, &all, NULL));
	for (int signal = 1; signal < 32; signal++)
		if (signal != SIGKILL && signal != SIGSTOP && signal != SIGSYS)
			sigaction(signal, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
	together();
	return 0;
}
