/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Priorities that are set before the program's first real-time thread has run: for a thread that
 * begins with its policy, as in `chrt -f 50 PROGRAM`, and for a new one. */
#define _GNU_SOURCE
#include <semaphore.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

static sem_t set;

static void show_own(void)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct sched_param parameter = {.sched_priority = -1};
	int policy;

	nanosleep(&moment, NULL);
	SHOW(is_task_if_expected());
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
	SHOW(pthread_getschedparam(pthread_self(), &policy, &parameter));
	SHOW(policy);
	SHOW(parameter.sched_priority);
}

static void *waits(void *unused)
{
	sem_wait(&set);
	show_own();
	return unused;
}

static void become(const char *name, const char *what)
{
	const struct sched_param fifty = {.sched_priority = 50};

	if (sched_setscheduler(0, SCHED_FIFO, &fifty))
		exit(77);
	execl(name, name, what, (char *)NULL);
	exit(1);
}

int main(int argc, char **argv)
{
	const struct sched_param eighty = {.sched_priority = 80};
	const char *what = argc > 1 ? argv[1] : "";
	pthread_t thread;

	if (!strcmp(what, "by sched_setparam()")) {
		SHOW(sched_setparam(0, &eighty));
		show_own();
		become(argv[0], "by pthread_setschedprio()");
	}
	if (!strcmp(what, "by pthread_setschedprio()")) {
		SHOW(pthread_setschedprio(pthread_self(), 80));
		show_own();
		return 0;
	}
	sem_init(&set, 0, 0);
	thread = fifo_thread(50, waits, NULL);
	SHOW(pthread_setschedprio(thread, 80));
	sem_post(&set);
	joined(thread);
	become(argv[0], "by sched_setparam()");
	return 0;
}
