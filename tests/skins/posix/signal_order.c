/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The order in which a real-time thread gets the signals for which it waits: those of one number as
 * they were sent, of several numbers the lowest first, whether they come from threads, timers or
 * Linux.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

#define MS     1000000u
#define STREAM 1500

static sigset_t set;
static pthread_t target;
static volatile int ready;

static void *sends_many(void *to_thread)
{
	while (!ready)
		usleep(1000);
	for (int i = 0; i < STREAM;) {
		const union sigval value = {.sival_int = i};
		int error = to_thread ? pthread_sigqueue(target, SIGRTMIN, value)
				      : sigqueue(getpid(), SIGRTMIN, value);

		if (!error)
			i++;
		else
			usleep(1000);
	}
	return NULL;
}

static void *receives_many(void *unused)
{
	long wrong = 0;
	siginfo_t info;

	(void)unused;
	target = pthread_self();
	ready = 1;
	for (int i = 0; i < STREAM; i++)
		wrong += sigwaitinfo(&set, &info) != SIGRTMIN || info.si_value.sival_int != i;
	return (void *)wrong;
}

/* sender 0: a Linux thread. */
static void stream(int sender, intptr_t to_thread)
{
	pthread_t from, to;

	ready = 0;
	from = sender ? fifo_thread(sender, sends_many, (void *)to_thread)
		      : other_thread(sends_many, (void *)to_thread);
	to = fifo_thread(50, receives_many, NULL);
	SHOW((long)joined(from));
	SHOW((long)joined(to));
}

static void take(const char *what)
{
	const struct timespec ample = {5, 0};
	siginfo_t info;
	int signal = sigtimedwait(&set, &info, &ample);

	printf("%s: %d\n", what, signal > 0 ? signal - SIGRTMIN : -errno);
	fflush(stdout);
}

/* A timer's signal is due, and others are pending below and above it. */
static void beside_a_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 2};
	struct itimerspec soon = {.it_value = {.tv_nsec = 2 * MS}};
	timer_t timer;

	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(timer_settime(timer, 0, &soon, NULL));
	take("timer");
	SHOW(timer_settime(timer, 0, &soon, NULL));
	/* To the program, as the timer's: Linux first takes those that are for a thread. */
	kill(getpid(), SIGRTMIN + 3);
	kill(getpid(), SIGRTMIN + 1);
	usleep(20000);
	for (int i = 0; i < 3; i++)
		take("beside a timer");
	SHOW(timer_delete(timer));
}

/* Waits for one number while others are pending, and then for these. */
static void of_several_sets(void)
{
	sigset_t one;
	int signal = 0;

	sigemptyset(&one);
	sigaddset(&one, SIGRTMIN + 3);
	for (int i = 0; i < 3; i++) {
		kill(getpid(), SIGRTMIN + 1);
		pthread_kill(pthread_self(), SIGRTMIN + 3);
		SHOW(sigwait(&one, &signal) || signal != SIGRTMIN + 3);
		take("of another set");
	}
}

static sem_t raised;

static void *sends_after(void *rounds)
{
	for (intptr_t i = 0; i < (intptr_t)rounds; i++) {
		sem_wait(&raised);
		pthread_sigqueue(target, SIGRTMIN, (union sigval){.sival_int = (int)i});
	}
	return NULL;
}

/* A signal that it sent to itself comes before one that another thread sends when it waits. */
static void after_its_own(void)
{
	const intptr_t rounds = 50;
	int wrong = 0;
	siginfo_t info;
	pthread_t sender;

	target = pthread_self();
	sender = fifo_thread(40, sends_after, (void *)rounds);
	for (intptr_t i = 0; i < rounds; i++) {
		raise(SIGRTMIN);
		sem_post(&raised);
		wrong += sigwaitinfo(&set, &info) != SIGRTMIN || info.si_code == SI_QUEUE;
		wrong += sigwaitinfo(&set, &info) != SIGRTMIN || info.si_code != SI_QUEUE ||
			 info.si_value.sival_int != (int)i;
	}
	joined(sender);
	SHOW(wrong);
}

static void *run(void *unused)
{
	SHOW(is_task_if_expected());
	beside_a_timer();
	of_several_sets();
	after_its_own();
	return unused;
}

int main(void)
{
	sigemptyset(&set);
	for (int i = 0; i < 4; i++)
		sigaddset(&set, SIGRTMIN + i);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	joined(fifo_thread(50, run, NULL));
	for (int to_thread = 0; to_thread < 2; to_thread++) {
		stream(0, to_thread);
		stream(40, to_thread);
		stream(60, to_thread);
	}
	return 0;
}
