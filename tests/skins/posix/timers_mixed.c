/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers that real-time threads and others share, and those that report in other ways than by a
 * signal of timer_create(). */
#include "timers.h"

#include <poll.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>

static volatile sig_atomic_t handled;

static void handle(int signal)
{
	(void)signal;
	handled++;
}

/* Waits begun by a Linux thread before a real-time one sets the timer. */
enum way { BY_SIGTIMEDWAIT, BY_SIGSUSPEND, BY_PPOLL, BY_PSELECT, BY_EPOLL, WAYS };

static void *wait_outside(void *way)
{
	const struct timespec long_enough = {5, 0};
	sigset_t open;
	int set = epoll_create1(EPOLL_CLOEXEC);
	int result = -1, before = handled;

	pthread_sigmask(SIG_BLOCK, NULL, &open);
	sigdelset(&open, SIGRTMIN + 2);
	switch ((enum way)(intptr_t)way) {
	case BY_SIGTIMEDWAIT:
		SHOW(wait_for(SIGRTMIN + 2, NULL, 5000000000u) == SIGRTMIN + 2);
		break;
	case BY_SIGSUSPEND:
		result = sigsuspend(&open);
		break;
	case BY_PPOLL:
		result = ppoll(NULL, 0, &long_enough, &open);
		break;
	case BY_PSELECT:
		result = pselect(0, NULL, NULL, NULL, &long_enough, &open);
		break;
	default: {
		struct epoll_event event;

		result = epoll_pwait(set, &event, 1, 5000, &open);
	}
	}
	SHOW((intptr_t)way == BY_SIGTIMEDWAIT ||
	     (result == -1 && errno == EINTR && handled == before + 1));
	close(set);
	return NULL;
}

static timer_t shared;

static void *set_other(void *unused)
{
	(void)unused;
	set_in(shared, 2 * MS, 0);
	return NULL;
}

static void *wait_three_times(void *unused)
{
	int well = 1;

	(void)unused;
	for (int i = 0; i < 3; i++)
		well &= wait_for(SIGRTMIN, NULL, 2000000000u) == SIGRTMIN;
	SHOW(well);
	return NULL;
}

/* First a real-time thread waits in vain; then a Linux thread sets the timer, and again. */
static void set_by_another(void)
{
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN, 3);
	pthread_t thread = fifo_thread(20, wait_three_times, NULL);
	int failed;

	usleep(5000);
	failed = set_in(timer, 1 * MS, 1 * MS);
	joined(thread);
	failed |= set_in(timer, 0, 0);
	wait_for(SIGRTMIN, NULL, 1);
	thread = fifo_thread(20, wait_three_times, NULL);
	usleep(5000);
	failed |= set_in(timer, 1 * MS, 2 * MS);
	joined(thread);
	SHOW(failed);
	timer_delete(timer);
}

static void *of_nobody(void *unused)
{
	timer_t timer = timer_of(CLOCK_MONOTONIC, SIGEV_NONE, 0, 0);
	struct itimerspec told;

	(void)unused;
	SHOW(set_in(timer, 900 * MS, 0));
	SHOW(!timer_gettime(timer, &told) && told.it_value.tv_nsec > 0 &&
	     told.it_value.tv_nsec <= (long)(900 * MS));
	SHOW(set_in(timer, 2 * MS, 0));
	usleep(3000);
	SHOW(!timer_gettime(timer, &told) && !told.it_value.tv_sec && !told.it_value.tv_nsec);
	SHOW(set_in(timer, 2 * MS, 3 * MS));
	usleep(11000);
	SHOW(!timer_gettime(timer, &told) && told.it_interval.tv_nsec == (long)(3 * MS) &&
	     told.it_value.tv_nsec > 0 && told.it_value.tv_nsec <= (long)(3 * MS));
	SHOW(timer_getoverrun(timer));
	SHOW(timer_delete(timer));
	SHOW(timer_gettime(timer, &told) ? errno : 0);
	return NULL;
}

/* The older interfaces, for whose signals real-time threads wait. */
static void *by_itimer(void *unused)
{
	const struct itimerval often = {{0, 2000}, {0, 2000}}, none = {{0, 0}, {0, 0}};
	const uint64_t start = now_ns(CLOCK_MONOTONIC);
	struct itimerval told;
	int well = 1;

	(void)unused;
	SHOW(setitimer(ITIMER_REAL, &often, NULL));
	for (int i = 0; i < 5; i++)
		well &= wait_for(SIGALRM, NULL, 2000000000u) == SIGALRM;
	SHOW(well && now_ns(CLOCK_MONOTONIC) >= start + 10 * MS);
	SHOW(!getitimer(ITIMER_REAL, &told) && told.it_interval.tv_usec == 2000);
	SHOW(setitimer(ITIMER_REAL, &none, &told) || told.it_interval.tv_usec != 2000);
	wait_for(SIGALRM, NULL, 1);
	SHOW(ualarm(1000, 0));
	SHOW(wait_for(SIGALRM, NULL, 2000000000u) == SIGALRM);
	SHOW(alarm(1));
	SHOW(wait_for(SIGALRM, NULL, 3000000000u) == SIGALRM);
	SHOW(alarm(0));
	SHOW(wait_for(SIGALRM, NULL, 1 * MS));
	return NULL;
}

static sem_t notifications;
static pthread_mutex_t notified_lock = PTHREAD_MUTEX_INITIALIZER;
static int notified_value;

static void notified(union sigval value)
{
	pthread_mutex_lock(&notified_lock);
	notified_value = value.sival_int;
	pthread_mutex_unlock(&notified_lock);
	sem_post(&notifications);
}

/* The threads that are made for it are threads of Linux, with their own policy or without. */
static void *by_a_thread(void *policy)
{
	struct sched_param parameter = {.sched_priority = policy ? 15 : 0};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notified};
	pthread_attr_t attributes;
	timer_t timer;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, policy ? SCHED_FIFO : SCHED_OTHER);
	pthread_attr_setschedparam(&attributes, &parameter);
	event.sigev_notify_attributes = &attributes;
	event.sigev_value.sival_int = 9;
	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(set_in(timer, 1 * MS, 2 * MS));
	for (int i = 0; i < 3; i++)
		sem_wait(&notifications);
	pthread_mutex_lock(&notified_lock);
	SHOW(notified_value);
	pthread_mutex_unlock(&notified_lock);
	SHOW(timer_delete(timer));
	pthread_attr_destroy(&attributes);
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = handle};

	sigaction(SIGRTMIN + 2, &action, NULL);
	block(SIG_BLOCK, SIGRTMIN);
	block(SIG_BLOCK, SIGRTMIN + 2);
	block(SIG_BLOCK, SIGALRM);
	set_by_another();
	shared = timer_of(CLOCK_MONOTONIC, SIGEV_SIGNAL, SIGRTMIN + 2, 3);
	for (intptr_t way = 0; way < WAYS; way++) {
		pthread_t waiter = other_thread(wait_outside, (void *)way);

		usleep(20000);
		joined(fifo_thread(20, set_other, NULL));
		joined(waiter);
	}
	timer_delete(shared);
	joined(fifo_thread(20, of_nobody, NULL));
	joined(fifo_thread(20, by_itimer, NULL));
	sem_init(&notifications, 0, 0);
	joined(fifo_thread(20, by_a_thread, NULL));
	joined(fifo_thread(20, by_a_thread, &notifications));
	return 0;
}
