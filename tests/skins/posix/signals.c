/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals for real-time threads: sent by all kinds of threads and by timers, handled, waited
 * for. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "check.h"

#define MS 1000000u

static volatile sig_atomic_t count, value;
static sem_t sem;
static pthread_t target;

static void handler(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)context;
	count++;
	value = info->si_value.sival_int;
	sem_post(&sem);
}

static void install(int signal)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_RESTART};

	sigemptyset(&action.sa_mask);
	SHOW(sigaction(signal, &action, NULL));
}

static void *kills(void *argument)
{
	const union sigval with = {.sival_int = 77};

	usleep(5000);
	if (argument)
		pthread_sigqueue(target, SIGRTMIN, with);
	else
		pthread_kill(target, SIGRTMIN);
	return NULL;
}

static void handled(void)
{
	pthread_t thread;

	count = 0;
	SHOW(raise(SIGUSR1));
	SHOW(sem_wait(&sem));
	SHOW(count);
	thread = fifo_thread(60, kills, &sem);
	SHOW(sem_wait(&sem));
	SHOW(value);
	joined(thread);
	thread = other_thread(kills, NULL);
	SHOW(sem_wait(&sem));
	SHOW(count);
	joined(thread);
	/* A task that computes is interrupted, too. */
	count = 0;
	thread = other_thread(kills, NULL);
	while (!count)
		;
	SHOW(sem_wait(&sem));
	joined(thread);
}

static void waited_for(void)
{
	struct timespec moment = {.tv_nsec = 3 * MS};
	siginfo_t info = {0};
	pthread_t thread;
	sigset_t set;
	int signal = 0;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	SHOW(pthread_sigmask(SIG_BLOCK, &set, NULL));
	SHOW(sigtimedwait(&set, &info, &moment));
	SHOW(errno);
	for (int i = 0; i < 4; i++) {
		void *const with = i & 1 ? &sem : NULL;

		thread = i & 2 ? fifo_thread(60, kills, with) : other_thread(kills, with);
		if (i == 3) {
			SHOW(sigwait(&set, &signal) == 0 && signal == SIGRTMIN);
		} else {
			SHOW(sigwaitinfo(&set, &info) == SIGRTMIN);
			SHOW(info.si_value.sival_int);
		}
		joined(thread);
	}
	SHOW(raise(SIGRTMIN));
	SHOW(sigpending(&set));
	SHOW(sigismember(&set, SIGRTMIN));
	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	count = 0;
	SHOW(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
	SHOW(count);
	SHOW(sem_wait(&sem));
}

static void timed(void)
{
	struct itimerspec soon = {.it_value = {.tv_nsec = 3 * MS}};
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct itimerval once = {.it_value = {.tv_usec = 3000}};
	timer_t timer;

	event.sigev_value.sival_int = 5;
	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(timer_settime(timer, 0, &soon, NULL));
	SHOW(sem_wait(&sem));
	SHOW(value);
	SHOW(timer_delete(timer));
	event.sigev_notify = SIGEV_THREAD_ID;
	event._sigev_un._tid = gettid();
	event.sigev_value.sival_int = 6;
	SHOW(timer_create(CLOCK_REALTIME, &event, &timer));
	SHOW(timer_settime(timer, 0, &soon, NULL));
	SHOW(sem_wait(&sem));
	SHOW(value);
	SHOW(timer_delete(timer));
	SHOW(setitimer(ITIMER_REAL, &once, NULL));
	SHOW(sem_wait(&sem));
}

static void notified(union sigval with)
{
	value = with.sival_int;
	sem_post(&sem);
}

static void by_thread(void)
{
	struct itimerspec soon = {.it_value = {.tv_nsec = 3 * MS}};
	struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = notified};
	timer_t timer;

	event.sigev_value.sival_int = 8;
	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	SHOW(timer_settime(timer, 0, &soon, NULL));
	SHOW(sem_wait(&sem));
	SHOW(value);
	SHOW(timer_delete(timer));
}

static void *run(void *argument)
{
	(void)argument;
	target = pthread_self();
	install(SIGUSR1);
	install(SIGRTMIN);
	install(SIGALRM);
	handled();
	waited_for();
	timed();
	by_thread();
	SHOW(is_task_if_expected());
	return NULL;
}

int main(void)
{
	sem_init(&sem, 0, 0);
	joined(fifo_thread(50, run, NULL));
	return 0;
}
