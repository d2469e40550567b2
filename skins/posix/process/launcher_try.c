/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * --require: before the program begins, a separate process becomes a real-time task in the same way
 * as the program's threads, and ends. If this fails, the reason is reported in one line, and the
 * program does not begin. If something prevents it later (another program takes the CPU), the
 * program ends with the same status when its first thread requests a real-time policy.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "posix/process/launcher.h"

/* With the library before the C library, as for the program. */
static void become_trial(const char *program)
{
	const char *slash = strrchr(program, '/');
	char *name = strdup(slash ? slash + 1 : program);
	char *arguments[] = {name, NULL};

	launcher_put(LAUNCHER_TRIES, "1");
	if (name)
		execv("/proc/self/exe", arguments);
	launcher_quit(REQUIRED_STATUS, "--require: /proc/self/exe: %s", strerror(errno));
}

void launcher_try(const char *program)
{
	pid_t child = fork();
	int status = 0;

	if (child < 0)
		launcher_quit(REQUIRED_STATUS,
			      "--require: no process can be started: see ulimit -u");
	if (!child)
		become_trial(program);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return;
	if (WIFEXITED(status))
		exit(REQUIRED_STATUS); /* already reported */
	launcher_quit(REQUIRED_STATUS, "--require: the trial was ended by signal %d",
		      WTERMSIG(status));
}

int launcher_be_tried(void)
{
	const struct sched_param parameter = {.sched_priority = 1};

	if (!sched_setscheduler(0, SCHED_FIFO, &parameter))
		return 0;
	launcher_quit(REQUIRED_STATUS,
		      "real time is required, but there is no SCHED_FIFO (%s): be root, or "
		      "allow 'rtprio 99' in /etc/security/limits.conf",
		      strerror(errno));
}
