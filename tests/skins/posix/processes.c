/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Processes made by real-time threads, and the program after the death of one of them. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char **environ;
static const char *self;

static void shell(void)
{
	char line[64] = "";
	FILE *file;

	SHOW(WEXITSTATUS(system("exit 7")));
	file = popen("echo said", "r");
	SHOW(file != NULL);
	SHOW(fgets(line, sizeof(line), file) != NULL);
	printf("%s", line);
	SHOW(pclose(file));
}

static void spawned(void)
{
	char *const arguments[] = {(char *)(uintptr_t)self, (char *)(uintptr_t) "child", NULL};
	int status = 0;
	pid_t child;

	SHOW(posix_spawn(&child, self, NULL, NULL, arguments, environ));
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(WEXITSTATUS(status));
}

static void forked_and_killed(void)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		for (;;)
			pause();
	SHOW(kill(child, SIGKILL));
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(WTERMSIG(status));
	child = vfork();
	if (!child)
		_exit(4);
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(WEXITSTATUS(status));
}

static void inherited(void)
{
	struct sched_param parameter;
	int status = 0;
	pid_t child = fork();

	if (!child)
		_exit(sched_getparam(0, &parameter)
			      ? 255
			      : parameter.sched_priority +
					100 * (sched_getscheduler(0) == SCHED_FIFO));
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(WEXITSTATUS(status));
}

static void *run(void *argument)
{
	(void)argument;
	SHOW(is_task_if_expected());
	shell();
	spawned();
	forked_and_killed();
	inherited();
	SHOW(is_task_if_expected());
	return NULL;
}

static void *sleeps(void *argument)
{
	usleep(20000);
	return argument;
}

static void *crashes(void *argument)
{
	if (argument)
		abort();
	raise(SIGSEGV);
	return NULL;
}

/* In a child with its own program: it ends in the same way. */
static void ends_by(const char *how)
{
	char command[512];
	int status;

	snprintf(command, sizeof(command), "%s %s 2>/dev/null", self, how);
	fflush(stdout);
	status = system(command);
	printf("%s: exit %d, signal %d\n", how, WEXITSTATUS(status), WTERMSIG(status));
}

static int child(const char *what)
{
	if (!strcmp(what, "child"))
		return is_no_task() ? 6 : 5;
	if (!strcmp(what, "abort"))
		joined(fifo_thread(10, crashes, (void *)1));
	else if (!strcmp(what, "fault"))
		joined(fifo_thread(10, crashes, NULL));
	else if (!strcmp(what, "main-exits")) {
		fifo_thread(10, sleeps, NULL);
		pthread_exit(NULL);
	} else if (!strcmp(what, "main-returns"))
		fifo_thread(10, sleeps, NULL);
	return 6;
}

int main(int argc, char **argv)
{
	self = argv[0];
	if (argc > 1)
		return child(argv[1]);
	ends_by("abort");
	ends_by("fault");
	ends_by("main-exits");
	ends_by("main-returns");
	joined(fifo_thread(50, run, NULL));
	return 0;
}
