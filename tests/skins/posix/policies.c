/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Policies and priorities as a program sets and reads them, and when its threads are tasks. */
#define _GNU_SOURCE
#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static sem_t asked, done;
static _Atomic pid_t tid;

/* Without pthread_getschedparam(), for which glibc stores the last setting by its own calls. */
static void show_own(void)
{
	struct sched_param parameter = {.sched_priority = -1};

	SHOW(sched_getscheduler(0));
	SHOW(sched_getscheduler(gettid()));
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
}

static void *born_fifo(void *argument)
{
	struct sched_param parameter = {.sched_priority = 7};

	(void)argument;
	SHOW(is_task_if_expected());
	show_own();
	SHOW(sched_setparam(0, &parameter));
	show_own();
	SHOW(pthread_setschedprio(pthread_self(), 9));
	show_own();
	parameter.sched_priority = 11;
	SHOW(sched_setscheduler(0, SCHED_RR, &parameter));
	show_own();
	parameter.sched_priority = 0;
	SHOW(sched_setscheduler(0, SCHED_OTHER, &parameter));
	SHOW(is_no_task());
	show_own();
	return NULL;
}

static void *changed_by_others(void *argument)
{
	struct timespec moment = {.tv_nsec = 1000};

	(void)argument;
	tid = gettid();
	for (int i = 0; i < 3; i++) {
		sem_post(&done);
		sem_wait(&asked);
		nanosleep(&moment, NULL);
		SHOW(i == 1 ? is_no_task() : is_task_if_expected());
		show_own();
	}
	return NULL;
}

static void changes_of_others(void)
{
	struct sched_param fifo = {.sched_priority = 20};
	struct sched_param other = {.sched_priority = 0};
	pthread_t thread;
	int policy = -1;

	sem_init(&asked, 0, 0);
	sem_init(&done, 0, 0);
	pthread_create(&thread, NULL, changed_by_others, NULL);
	sem_wait(&done);
	SHOW(pthread_setschedparam(thread, SCHED_FIFO, &fifo));
	SHOW(pthread_getschedparam(thread, &policy, &fifo));
	SHOW(policy);
	sem_post(&asked);
	sem_wait(&done);
	SHOW(pthread_setschedparam(thread, SCHED_OTHER, &other));
	sem_post(&asked);
	sem_wait(&done);
	fifo.sched_priority = 30;
	SHOW(sched_setscheduler(tid, SCHED_RR, &fifo));
	SHOW(sched_getscheduler(tid));
	sem_post(&asked);
	joined(thread);
}

static void *inheriting(void *argument)
{
	(void)argument;
	SHOW(is_task_if_expected());
	show_own();
	return NULL;
}

static void *making(void *argument)
{
	pthread_t thread;

	(void)argument;
	SHOW(pthread_create(&thread, NULL, inheriting, NULL));
	joined(thread);
	return NULL;
}

static void *born(void *argument)
{
	SHOW(is_task_if_expected());
	show_own();
	return argument;
}

/* What explicit attributes do not name comes from the creator, also if a small stack is
 * replaced. */
static void *naming_a_part(void *argument)
{
	const int policies[] = {-1, SCHED_FIFO, SCHED_RR};
	pthread_attr_t attributes;
	pthread_t thread;
	int error;

	for (int i = 0; i < 6; i++) {
		pthread_attr_init(&attributes);
		pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
		if (policies[i % 3] >= 0)
			pthread_attr_setschedpolicy(&attributes, policies[i % 3]);
		if (i > 2)
			pthread_attr_setstacksize(&attributes, 32768);
		error = pthread_create(&thread, &attributes, born, NULL);
		if (!error)
			joined(thread);
		SHOW(error);
		pthread_attr_destroy(&attributes);
	}
	return argument;
}

static void mistakes(void)
{
	struct sched_param parameter = {.sched_priority = 100};

	SHOW(sched_setscheduler(0, SCHED_FIFO, &parameter));
	SHOW(errno);
	parameter.sched_priority = 0;
	SHOW(sched_setscheduler(0, SCHED_FIFO, &parameter));
	SHOW(errno);
	SHOW(sched_setscheduler(-1, SCHED_FIFO, &parameter));
	SHOW(errno);
	SHOW(sched_setscheduler(0, 77, &parameter));
	SHOW(errno);
	SHOW(pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter));
	SHOW(is_no_task());
}

/* A task that owns a mutex of the nucleus, as in programs that use the nucleus directly, must stay
 * a task until it has released the mutex; then it becomes none. */
static void *owning(void *argument)
{
	struct sched_param none = {0};
	struct timeout {
		uint64_t ns;
		uint32_t kind;
	} forever = {0, 0};
	int (*create)(const char *, uint32_t, uint32_t, uint32_t *);
	int (*lock)(uint32_t, struct timeout);
	int (*unlock)(uint32_t);
	uint32_t mutex = 0;
	int is_owner = 1, waits = 1;

	*(void **)&create = dlsym(RTLD_DEFAULT, "tact_mutex_create");
	*(void **)&lock = dlsym(RTLD_DEFAULT, "tact_mutex_lock");
	*(void **)&unlock = dlsym(RTLD_DEFAULT, "tact_mutex_unlock");
	if (expected_task())
		is_owner = !create(NULL, 0, 0, &mutex) && !lock(mutex, forever);
	SHOW(is_owner);
	SHOW(sched_setscheduler(0, SCHED_OTHER, &none));
	SHOW(is_task_if_expected());
	show_own();
	if (expected_task())
		waits = !unlock(mutex);
	SHOW(waits);
	sched_yield();
	SHOW(is_no_task());
	show_own();
	return argument;
}

int main(void)
{
	SHOW(is_no_task());
	show_own();
	mistakes();
	joined(fifo_thread(5, born_fifo, NULL));
	changes_of_others();
	joined(fifo_thread(40, making, NULL));
	joined(fifo_thread(40, naming_a_part, NULL));
	joined(fifo_thread(40, owning, NULL));
	SHOW(is_no_task());
	return 0;
}
