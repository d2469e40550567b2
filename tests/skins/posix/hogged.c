/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Another real-time program keeps a CPU for itself: on a machine with two CPUs, this is the only
 * one that Linux has for this program's system calls. That must not delay them. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define CALLS    200
#define HELPLESS 30 /* seconds until it gives up; then the calls waited for that */

static void become(int priority)
{
	struct sched_param parameter = {.sched_priority = priority};

	if (sched_setscheduler(0, SCHED_FIFO, &parameter))
		exit(77);
}

/* Tactus takes the last one. */
static void keep_the_first_cpu(void)
{
	cpu_set_t all, first;

	CPU_ZERO(&first);
	sched_getaffinity(0, sizeof(all), &all);
	for (int cpu = 0; cpu < CPU_SETSIZE && !CPU_COUNT(&first); cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &first);
	if (sched_setaffinity(0, sizeof(first), &first))
		_exit(1);
}

/* Never asleep, and always in a call. */
static _Noreturn void hog(int priority, int told)
{
	alarm(HELPLESS);
	keep_the_first_cpu();
	become(priority);
	if (write(told, "", told != STDERR_FILENO) < 0)
		_exit(1);
	for (;;) {
		struct timeval none = {0};

		select(0, NULL, NULL, NULL, &none);
	}
}

static pid_t hog_begins(int priority)
{
	int ends[2];
	char byte;
	pid_t child;

	SHOW(!pipe(ends));
	child = fork();
	if (!child) {
		close(ends[0]);
		hog(priority, ends[1]);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		exit(77); /* it lacks the right */
	close(ends[0]);
	return child;
}

static void calls_beside(pid_t child)
{
	int status, done = 0;

	for (int i = 0; i < CALLS; i++)
		done += !kill(child, 0);
	SHOW(done == CALLS);
	SHOW(!kill(child, SIGKILL));
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

/* It was there first, and so takes a CPU as this program does. */
static int beside_an_older_one(void)
{
	pid_t child = hog_begins(20);

	become(30);
	calls_beside(child);
	return 0;
}

/* Each sees the other's CPU as free when it begins. */
static int beside_one_of_its_age(void)
{
	pid_t child = fork();

	if (!child)
		hog(30, STDERR_FILENO);
	become(30);
	calls_beside(child);
	return 0;
}

/* A child of this program, and so a Linux thread, where a task's calls are made. */
static int beside_a_child(void)
{
	become(30);
	calls_beside(hog_begins(60));
	return 0;
}

/* Each is a separate program: this one has no tasks. */
static void alone(int (*program)(void))
{
	pid_t child = fork();
	int status;

	if (!child)
		exit(program());
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(WIFEXITED(status));
	if (WIFEXITED(status) && WEXITSTATUS(status))
		exit(WEXITSTATUS(status));
}

int main(void)
{
	if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
		return 77;
	fflush(stdout);
	alone(beside_an_older_one);
	alone(beside_one_of_its_age);
	alone(beside_a_child);
	return 0;
}
