/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Children that a task makes without fork(): by the number of the call, _Fork() or clone(). Each
 * sleeps, takes a lock and becomes another program, or ends, as a fork's child does.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define BYTES 65536

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Alignas(16) char stack[BYTES];
static volatile int changed;

static int live(void *status)
{
	const struct timespec moment = {.tv_nsec = 1000000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
	syscall(SYS_nanosleep, &moment, NULL);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	changed = 1;
	return *(int *)status;
}

static void child(int status, int execs)
{
	if (!execs)
		_exit(live(&status));
	(void)live(&status);
	execl("/bin/sh", "sh", "-c", "exit 9", NULL);
	_exit(1);
}

static int status_of(pid_t pid)
{
	int status;

	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static pid_t by_number(int status, int execs)
{
	pid_t pid = (pid_t)syscall(SYS_fork);

	if (!pid)
		child(status, execs);
	return pid;
}

static pid_t by_clones_number(int status, int execs)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);

	if (!pid)
		child(status, execs);
	return pid;
}

static pid_t without_handlers(int status, int execs)
{
	pid_t pid = _Fork();

	if (!pid)
		child(status, execs);
	return pid;
}

static void *makes(void *is_task)
{
	int status = 7;

	SHOW(status_of(by_number(5, 0)));
	SHOW(status_of(by_number(5, 1)));
	SHOW(status_of(by_clones_number(6, 0)));
	SHOW(status_of(by_clones_number(6, 1)));
	SHOW(status_of(without_handlers(4, 0)));
	SHOW(status_of(without_handlers(4, 1)));
	SHOW(status_of(clone(live, stack + BYTES, SIGCHLD, &status)));
	SHOW(changed);
	SHOW(is_task ? is_task_if_expected() : is_no_task());
	return NULL;
}

int main(void)
{
	joined(fifo_thread(40, makes, stack));
	joined(other_thread(makes, NULL));
	return 0;
}
