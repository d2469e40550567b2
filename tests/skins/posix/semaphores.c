/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores between real-time threads and with others: units, order, time limits, errors. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

#define MS 1000000u

static sem_t sem, ready;
static char order[16];

static void handler(int signal)
{
	(void)signal;
}

static void *waiter(void *name)
{
	sem_post(&ready);
	sem_wait(&sem);
	strncat(order, name, 1);
	sem_post(&ready);
	return NULL;
}

/* The most urgent first, and among equals the one that came first. */
static void by_priority(void)
{
	pthread_t threads[4];
	const int priorities[4] = {10, 30, 20, 30};
	char *const names[4] = {"a", "b", "c", "d"};
	int value = -1;

	sem_init(&sem, 0, 0);
	sem_init(&ready, 0, 0);
	for (int i = 0; i < 4; i++) {
		threads[i] = fifo_thread(priorities[i], waiter, names[i]);
		sem_wait(&ready);
		usleep(20000); /* it waits by now */
	}
	SHOW(sem_getvalue(&sem, &value));
	SHOW(value);
	for (int i = 0; i < 4; i++) {
		SHOW(sem_post(&sem));
		sem_wait(&ready);
	}
	for (int i = 0; i < 4; i++)
		joined(threads[i]);
	printf("order %s\n", order);
}

static void limits(clockid_t clock)
{
	struct timespec until = later(clock, 5 * MS);
	struct timespec wrong = {.tv_nsec = 1000000000};
	struct timespec past = {.tv_sec = -5};
	uint64_t begin = now_ns(clock);

	SHOW(sem_trywait(&sem));
	SHOW(errno);
	SHOW(sem_clockwait(&sem, clock, &until));
	SHOW(errno);
	SHOW(now_ns(clock) - begin >= 5 * MS);
	SHOW(sem_clockwait(&sem, clock, &wrong));
	SHOW(errno);
	SHOW(sem_clockwait(&sem, clock, &past));
	SHOW(errno);
	SHOW(sem_clockwait(&sem, 5, &past));
	SHOW(errno);
	SHOW(sem_post(&sem));
	SHOW(sem_clockwait(&sem, clock, &past));
}

static void *interrupter(void *thread)
{
	usleep(20000);
	pthread_kill(*(pthread_t *)thread, SIGUSR1);
	usleep(20000);
	sem_post(&sem);
	return NULL;
}

static void interrupted(int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	pthread_t self = pthread_self(), other;

	sigaction(SIGUSR1, &action, NULL);
	errno = 0;
	other = fifo_thread(60, interrupter, &self);
	SHOW(sem_wait(&sem));
	SHOW(errno);
	joined(other);
	SHOW(sem_trywait(&sem));
}

static void *named(void *argument)
{
	sem_t *second = sem_open(argument, 0);

	SHOW(second == SEM_FAILED);
	SHOW(sem_wait(second));
	SHOW(is_task_if_expected());
	SHOW(sem_close(second));
	return NULL;
}

static void by_name(void)
{
	char name[32];
	sem_t *first;
	pthread_t thread;

	snprintf(name, sizeof(name), "/tactus-test-%d", (int)getpid());
	first = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	SHOW(first == SEM_FAILED);
	thread = fifo_thread(70, named, name);
	usleep(10000);
	sem_post(first);
	joined(thread);
	SHOW(sem_close(first));
	SHOW(sem_unlink(name));
}

static void *run(void *argument)
{
	(void)argument;
	SHOW(is_task_if_expected());
	sem_init(&sem, 0, 0);
	limits(CLOCK_REALTIME);
	limits(CLOCK_MONOTONIC);
	interrupted(SA_RESTART);
	interrupted(0);
	by_name();
	sem_init(&sem, 0, 0x7fffffff);
	SHOW(sem_post(&sem));
	SHOW(errno);
	SHOW(is_task_if_expected());
	return NULL;
}

int main(void)
{
	joined(fifo_thread(50, run, NULL));
	stay_on_one_cpu();
	by_priority();
	return 0;
}
