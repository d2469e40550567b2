/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A real-time thread replaces its program by another one, which has the policy, the priority and
 * the affinity of the thread, and whose thread is a task again. An exec that fails changes
 * nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static void look(void)
{
	struct timespec moment = {.tv_nsec = 1000000};

	clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
	SHOW(is_task_if_expected());
	show_policy();
}

static void become(int policy, int priority)
{
	struct sched_param parameter = {.sched_priority = priority};

	if (sched_setscheduler(0, policy, &parameter))
		exit(77);
}

/* In a child of a program with tasks: a plain Linux process, until it execs. */
static void by_child(char *name, int vforks)
{
	pid_t child = vforks ? vfork() : fork();
	int status;

	if (!child) {
		execl(name, name, "child", (char *)NULL);
		_exit(1);
	}
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
}

static void become_true(char *name)
{
	pid_t child = vfork();

	if (!child) {
		execl("/bin/true", "true", name, "a", "b", "c", "d", "e", (char *)NULL);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

/* The list of arguments is nowhere in the parent's heap, which a vfork's child shares. */
static void keeps_no_memory(char *name)
{
	const struct mallinfo2 before = mallinfo2();

	for (int i = 0; i < 20; i++)
		become_true(name);
	SHOW(mallinfo2().uordblks - before.uordblks);
}

static void prints_environment(char *name)
{
	char *const environment[] = {"ONE=1", "TWO=2", NULL};
	pid_t child = fork();

	if (!child) {
		execle("/usr/bin/env", "env", "-u", "LD_PRELOAD", "sh", "-c", "echo $ONE $TWO $0",
		       name, (char *)NULL, environment);
		_exit(1);
	}
	waitpid(child, NULL, 0);
}

int main(int argc, char **argv)
{
	char *const nothing[] = {NULL};

	if (argc > 1 && !strcmp(argv[1], "child")) {
		show_policy();
		return 0;
	}
	if (argc > 1 && !strcmp(argv[1], "second")) {
		look();
		become(SCHED_RR, 7);
		execlp("chrt", "chrt", "-f", "31", argv[0], "third", (char *)NULL);
		return 1;
	}
	if (argc > 1) {
		look();
		by_child(argv[0], 0);
		by_child(argv[0], 1);
		return 0;
	}
	become(SCHED_FIFO, 23);
	look();
	SHOW(execve("/no/such/program", nothing, nothing));
	SHOW(errno);
	SHOW(execlp("/etc/passwd", "passwd", (char *)NULL));
	SHOW(errno);
	look();
	keeps_no_memory(argv[0]);
	prints_environment(argv[0]);
	execl(argv[0], argv[0], "second", (char *)NULL);
	return 1;
}
