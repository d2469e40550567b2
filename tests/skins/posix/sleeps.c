/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Sleeps of a real-time thread: results, errors, the rest of the time, and that they last long
 * enough. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define MS 1000000u

static volatile sig_atomic_t handled;

static void handler(int signal)
{
	(void)signal;
	handled++;
}

static void lasts(clockid_t clock)
{
	struct timespec duration = {.tv_nsec = 3 * MS};
	struct timespec until = later(clock, 5 * MS);
	uint64_t begin = now_ns(clock);

	SHOW(clock_nanosleep(clock, 0, &duration, NULL));
	SHOW(now_ns(clock) - begin >= 3 * MS);
	SHOW(clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL));
	SHOW(now_ns(clock) - begin >= 5 * MS);
	/* It has passed. */
	SHOW(clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL));
	until.tv_sec = 0;
	SHOW(clock_nanosleep(clock, TIMER_ABSTIME, &until, NULL));
}

static void others(void)
{
	struct timespec duration = {.tv_nsec = 2 * MS};
	uint64_t begin = now_ns(CLOCK_MONOTONIC);

	SHOW(nanosleep(&duration, NULL));
	SHOW(usleep(2000));
	SHOW(sleep(0));
	SHOW(now_ns(CLOCK_MONOTONIC) - begin >= 4 * MS);
	SHOW(clock_nanosleep(CLOCK_BOOTTIME, 0, &duration, NULL));
}

static void mistakes(void)
{
	struct timespec wrong = {.tv_nsec = 1000000000};

	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL));
	SHOW(nanosleep(&wrong, NULL));
	SHOW(errno);
	wrong = (struct timespec){.tv_sec = -1};
	SHOW(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &wrong, NULL));
	wrong = (struct timespec){.tv_nsec = -1};
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL));
	SHOW(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &wrong, NULL));
	SHOW(clock_nanosleep(77, 0, &wrong, NULL));
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, NULL, NULL));
	SHOW(nanosleep(NULL, NULL));
	SHOW(errno);
}

static void *interrupter(void *thread)
{
	struct timespec moment = {.tv_nsec = 20 * MS};

	nanosleep(&moment, NULL);
	pthread_kill(*(pthread_t *)thread, SIGUSR1);
	return NULL;
}

static void interrupted(void)
{
	struct timespec duration = {.tv_sec = 50};
	struct timespec left = {0};
	struct timespec until = later(CLOCK_MONOTONIC, 50000u * (uint64_t)MS);
	pthread_t self = pthread_self(), thread;
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigaction(SIGUSR1, &action, NULL);
	thread = other_thread(interrupter, &self);
	SHOW(nanosleep(&duration, &left));
	SHOW(errno);
	SHOW(handled);
	SHOW(left.tv_sec >= 30 && left.tv_sec < 50);
	joined(thread);
	thread = other_thread(interrupter, &self);
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	SHOW(handled);
	joined(thread);
	thread = other_thread(interrupter, &self);
	left.tv_sec = sleep(50);
	SHOW(left.tv_sec >= 30 && left.tv_sec < 50);
	joined(thread);
	SHOW(is_task_if_expected());
}

/* A child that ends, and a timer whose signal is not wanted. */
static void not_interrupted(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGCONT};
	struct itimerspec soon = {.it_value = {.tv_nsec = 20 * MS}};
	uint64_t begin = now_ns(CLOCK_MONOTONIC);
	timer_t timer;
	pid_t child = fork();

	if (!child)
		_exit(0);
	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(timer_settime(timer, 0, &soon, NULL));
	SHOW(usleep(100000));
	SHOW(now_ns(CLOCK_MONOTONIC) - begin >= 100 * MS);
	SHOW(waitpid(child, NULL, 0) == child);
	SHOW(timer_delete(timer));
}

static void *run(void *argument)
{
	(void)argument;
	SHOW(is_task_if_expected());
	lasts(CLOCK_MONOTONIC);
	lasts(CLOCK_REALTIME);
	others();
	mistakes();
	interrupted();
	not_interrupted();
	return NULL;
}

int main(void)
{
	joined(fifo_thread(50, run, NULL));
	return 0;
}
