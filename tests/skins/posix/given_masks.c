/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that begin with a signal mask from their attributes, whatever stack they request. Source:
 * pthread_attr_setsigmask_np(3), of the C library since 2.32. */
#define _GNU_SOURCE
#include <signal.h>
#include <unistd.h>

#include "check.h"

#define SMALL_BYTES 65536
#define LARGE_BYTES 1048576

static int handled_by;

static void handle(int signal)
{
	(void)signal;
	handled_by = gettid();
}

static void *shows_mask(void *is_real_time)
{
	sigset_t mask;

	if (is_real_time)
		SHOW(is_task_if_expected());
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	SHOW(sigismember(&mask, SIGUSR1));
	SHOW(sigismember(&mask, SIGUSR2));
	SHOW(sigismember(&mask, SIGTERM));
	return NULL;
}

/* The only thread that lets the signal in. */
static void *handles(void *is_real_time)
{
	if (is_real_time)
		SHOW(is_task_if_expected());
	kill(getpid(), SIGUSR1);
	usleep(1000);
	SHOW(handled_by == gettid());
	handled_by = 0;
	return NULL;
}

/* Also the only one for a timer that a task has set while all blocked its signal. */
static void *is_interrupted(void *is_real_time)
{
	for (int i = 0; i < 2000 && !handled_by; i++)
		usleep(1000);
	SHOW(handled_by == gettid());
	return is_real_time;
}

static void *sets_timer(void *unused)
{
	const struct itimerspec soon = {.it_value = {.tv_nsec = 100000000}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	timer_t timer;

	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(timer_settime(timer, 0, &soon, NULL));
	return unused;
}

static void with_mask(int blocks, size_t stack_bytes, int policy, void *(*entry)(void *))
{
	struct sched_param parameter = {.sched_priority = policy == SCHED_FIFO ? 20 : 0};
	pthread_attr_t attributes;
	pthread_t thread;
	sigset_t mask;

	sigemptyset(&mask);
	sigaddset(&mask, blocks ? SIGUSR1 : SIGUSR2);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, stack_bytes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, policy);
	pthread_attr_setschedparam(&attributes, &parameter);
	pthread_attr_setsigmask_np(&attributes, &mask);
	if (pthread_create(&thread, &attributes, entry, policy == SCHED_FIFO ? &mask : NULL))
		exit(77);
	pthread_attr_destroy(&attributes);
	joined(thread);
}

int main(void)
{
	static const size_t stacks[] = {SMALL_BYTES, LARGE_BYTES};
	static const int policies[] = {SCHED_FIFO, SCHED_OTHER};
	sigset_t usr1;

	signal(SIGUSR1, handle);
	sigemptyset(&usr1);
	for (int i = 0; i < 4; i++)
		with_mask(1, stacks[i / 2], policies[i % 2], shows_mask);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	for (int i = 0; i < 4; i++)
		with_mask(0, stacks[i / 2], policies[i % 2], handles);
	joined(fifo_thread(30, sets_timer, NULL));
	with_mask(0, LARGE_BYTES, SCHED_FIFO, is_interrupted);
	return 0;
}
