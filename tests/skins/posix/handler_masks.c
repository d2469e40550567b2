/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a handler blocks is unblocked at its end, which no call reports: a timer of that signal, set
 * by a task that blocks it, still reaches the thread. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdatomic.h>

#include "check.h"

#define PAUSES 1000

static const int sent[2] = {34 + 3, 34 + 4};
static _Atomic int handled;
static timer_t timers[2];

static void block(int signal)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, signal);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void block_for_now(int signal)
{
	(void)signal;
	block(sent[0]);
	block(sent[1]);
}

static void count(int signal)
{
	(void)signal;
	atomic_fetch_add(&handled, 1);
}

static void *set_one(void *of)
{
	const struct itimerspec soon = {.it_value.tv_nsec = 5000000};
	const int i = *(const int *)of;

	block(sent[i]);
	SHOW(is_task_if_expected());
	SHOW(timer_settime(timers[i], 0, &soon, NULL));
	return NULL;
}

static void await(int count_wanted)
{
	const struct timespec pause = {.tv_nsec = 5000000};

	for (int i = 0; i < PAUSES && atomic_load(&handled) < count_wanted; i++)
		nanosleep(&pause, NULL);
	SHOW(handled == count_wanted);
}

/* The second one's timer was made before any thread has read the first one's mask. */
int main(void)
{
	struct sigaction action = {.sa_handler = block_for_now};
	struct sched_param parameter = {.sched_priority = 40};
	pthread_attr_t attributes;
	pthread_t thread;
	int which[2] = {0, 1};

	sigaction(SIGUSR1, &action, NULL);
	action.sa_handler = count;
	raise(SIGUSR1);
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	for (int i = 0; i < 2; i++) {
		struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = sent[i]};

		sigaction(sent[i], &action, NULL);
		SHOW(timer_create(CLOCK_MONOTONIC, &event, &timers[i]));
	}
	for (int i = 0; i < 2; i++) {
		if (pthread_create(&thread, &attributes, set_one, &which[i]))
			return 1;
		pthread_join(thread, NULL);
		await(i + 1);
	}
	return 0;
}
