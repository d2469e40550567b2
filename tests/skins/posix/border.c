/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Priority inheritance between real-time threads and plain ones: the priority that a plain owner
 * gets, also along a chain, and its end; and a plain thread that waits for a real-time one. */
#include "check.h"

#include <errno.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t outer, inner;
static sem_t owned, may_end;
static pid_t owner;

/* The priority with which Linux runs it: 0 and more for a plain thread, -1 - priority for a
 * real-time one. */
static long effective(pid_t tid)
{
	char path[64], line[512] = "", *at;
	long priority = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)tid);
	file = fopen(path, "r");
	if (!file || !fgets(line, sizeof(line), file))
		exit(1);
	fclose(file);
	at = strrchr(line, ')');
	for (int field = 2; at && field < 18; field++)
		at = strchr(at + 1, ' ');
	if (at)
		priority = strtol(at, NULL, 10);
	return priority;
}

/* Does it get such a priority within some seconds? */
static int comes_to(int (*is_so)(long priority))
{
	for (int i = 0; i < 5000; i++) {
		if (is_so(effective(owner)))
			return 1;
		usleep(1000);
	}
	printf("effective priority %ld\n", effective(owner));
	return 0;
}

static int is_plain(long priority)
{
	return priority >= 0;
}

static int is_real_time(long priority)
{
	return priority < -1;
}

/* Higher than the own priority of the thread in between. */
static int is_urgent(long priority)
{
	return priority <= -1 - 40;
}

static void *own(void *argument)
{
	owner = (pid_t)syscall(SYS_gettid);
	pthread_mutex_lock(&inner);
	sem_post(&owned);
	sem_wait(&may_end);
	pthread_mutex_unlock(&inner);
	sem_wait(&may_end);
	return argument;
}

static void *take_inner(void *argument)
{
	pthread_mutex_lock(&inner);
	pthread_mutex_unlock(&inner);
	return argument;
}

static void *take_both(void *argument)
{
	pthread_mutex_lock(&outer);
	sem_post(&owned);
	pthread_mutex_lock(&inner);
	pthread_mutex_unlock(&inner);
	pthread_mutex_unlock(&outer);
	return argument;
}

static void *take_outer(void *argument)
{
	pthread_mutex_lock(&outer);
	pthread_mutex_unlock(&outer);
	return argument;
}

static void one_waits(void)
{
	pthread_t plain = other_thread(own, NULL), waiter;

	sem_wait(&owned);
	SHOW(is_plain(effective(owner)));
	waiter = fifo_thread(50, take_inner, NULL);
	SHOW(comes_to(is_real_time));
	sem_post(&may_end);
	joined(waiter);
	SHOW(comes_to(is_plain));
	sem_post(&may_end);
	joined(plain);
}

static void chain(void)
{
	pthread_t plain = other_thread(own, NULL), between, waiter;

	sem_wait(&owned);
	between = fifo_thread(10, take_both, NULL);
	sem_wait(&owned);
	SHOW(comes_to(is_real_time));
	waiter = fifo_thread(60, take_outer, NULL);
	SHOW(comes_to(is_urgent));
	sem_post(&may_end);
	joined(waiter);
	joined(between);
	SHOW(comes_to(is_plain));
	sem_post(&may_end);
	joined(plain);
}

static void *own_as_task(void *argument)
{
	struct timespec moment = {0, 20000000};

	pthread_mutex_lock(&inner);
	sem_post(&owned);
	nanosleep(&moment, NULL);
	pthread_mutex_unlock(&inner);
	return argument;
}

/* The plain thread waits for it in Linux, and a real-time thread meanwhile where it can. */
static void plain_waits(void)
{
	pthread_t task = fifo_thread(20, own_as_task, NULL), plain, other;

	sem_wait(&owned);
	plain = other_thread(take_inner, NULL);
	other = fifo_thread(30, take_outer, NULL);
	joined(task);
	joined(plain);
	joined(other);
	SHOW(pthread_mutex_trylock(&inner) || pthread_mutex_unlock(&inner));
}

int main(void)
{
	pthread_mutexattr_t attribute;

	pthread_mutexattr_init(&attribute);
	pthread_mutexattr_setprotocol(&attribute, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&outer, &attribute);
	pthread_mutex_init(&inner, &attribute);
	sem_init(&owned, 0, 0);
	sem_init(&may_end, 0, 0);
	one_waits();
	chain();
	plain_waits();
	return 0;
}
