/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Handlers that give their thread's policy up and take it back while it waits: the wait ends as if
 * they had done nothing else, however often. And a handler whose own wait another signal's handler
 * interrupts: both calls end with EINTR. Source: signal-safety(7), signal(7).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <unistd.h>

#include "files.h"

#define ROUNDS 1100 /* more than there are places for tasks that wait */
#define FEW    100

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t never, done;
static int event;
static atomic_int in_handler;

static void change(int signal)
{
	const struct sched_param none = {.sched_priority = 0}, mine = {.sched_priority = 20};
	const int error = errno;

	(void)signal;
	if (sched_setscheduler(0, SCHED_OTHER, &none) || sched_setscheduler(0, SCHED_FIFO, &mine))
		_exit(2);
	errno = error;
}

static int by_sleep(void)
{
	const struct timespec time = {.tv_sec = 10};

	return nanosleep(&time, NULL) ? errno : 0;
}

static int by_poll(void)
{
	struct pollfd one = {.fd = event, .events = POLLIN};

	return poll(&one, 1, 10000) < 0 ? errno : 0;
}

static int by_semaphore(void)
{
	const struct timespec late = later(CLOCK_REALTIME, 10000000000u);

	return sem_timedwait(&never, &late) ? errno : 0;
}

/* It continues after a handler. */
static int by_condition(void)
{
	const struct timespec soon = later(CLOCK_REALTIME, MS);
	int error;

	pthread_mutex_lock(&mutex);
	error = pthread_cond_timedwait(&cond, &mutex, &soon);
	pthread_mutex_unlock(&mutex);
	return error;
}

/* How often it ended in another way; for a condition, 0 is a spurious wake-up. */
static int rounds(int count, int (*wait)(void), int as, int also)
{
	const struct itimerval none = {0};
	int others = 0;

	for (int i = 0; i < count; i++) {
		/* Again, because the first one may come before the wait. */
		const struct itimerval soon = {
			.it_value.tv_usec = 50 + i % 50,
			.it_interval.tv_usec = 2000,
		};
		int how;

		setitimer(ITIMER_REAL, &soon, NULL);
		how = wait();
		others += how != as && how != also;
	}
	setitimer(ITIMER_REAL, &none, NULL);
	return others;
}

static void *waits(void *unused)
{
	SHOW(rounds(ROUNDS, by_sleep, EINTR, EINTR));
	SHOW(is_task_if_expected());
	SHOW(rounds(FEW, by_poll, EINTR, EINTR));
	SHOW(rounds(FEW, by_semaphore, EINTR, EINTR));
	SHOW(rounds(FEW, by_condition, ETIMEDOUT, 0));
	SHOW(is_task_if_expected());
	return unused;
}

static void wait_within(int signal)
{
	struct pollfd one = {.fd = event, .events = POLLIN};
	const struct timespec late = {.tv_sec = 20};

	(void)signal;
	atomic_fetch_add(&in_handler, 1);
	if (ppoll(&one, 1, &late, NULL) >= 0 || errno != EINTR)
		_exit(3);
	errno = EBADMSG;
}

static void interrupt(int signal)
{
	(void)signal;
}

static void *is_interrupted(void *unused)
{
	SHOW(is_task_if_expected());
	SHOW(sem_wait(&never) ? errno : 0);
	sem_post(&done);
	SHOW(by_poll());
	sem_post(&done);
	return unused;
}

static void handle(int signal, void (*handler)(int))
{
	struct sigaction action = {.sa_handler = handler};

	sigaction(signal, &action, NULL);
}

/* The second one comes while the first one's handler waits. */
static void interrupt_twice(pthread_t thread)
{
	const struct timespec late = later(CLOCK_REALTIME, 15000000000u);
	const int before = atomic_load(&in_handler);

	usleep(30000);
	pthread_kill(thread, SIGUSR1);
	while (atomic_load(&in_handler) == before)
		usleep(1000);
	usleep(30000);
	pthread_kill(thread, SIGUSR2);
	if (!sem_timedwait(&done, &late))
		return;
	printf("it waits still\n");
	fflush(stdout);
	_exit(1);
}

int main(void)
{
	sigset_t alarm;
	pthread_t thread;

	sem_init(&never, 0, 0);
	sem_init(&done, 0, 0);
	event = eventfd(0, 0);
	handle(SIGALRM, change);
	handle(SIGUSR1, wait_within);
	handle(SIGUSR2, interrupt);
	thread = fifo_thread(20, waits, NULL);
	/* So that the other one gets it. */
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	SHOW(pthread_join(thread, NULL));
	thread = fifo_thread(20, is_interrupted, NULL);
	interrupt_twice(thread);
	interrupt_twice(thread);
	SHOW(pthread_join(thread, NULL));
	return 0;
}
