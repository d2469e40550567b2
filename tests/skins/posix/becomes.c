/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A real-time thread replaces its program by another one, through each function for that. The new
 * program has its arguments and environment, and its thread is a task again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <unistd.h>

#include "check.h"

static char *path, *last;
static char stage_text[12];

static void look(int stage)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	struct sched_param parameter;

	printf("stage %d, GIVEN %s\n", stage, getenv("GIVEN") ? getenv("GIVEN") : "none");
	clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
	SHOW(is_task_if_expected());
	SHOW(sched_getscheduler(0));
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
}

/* The environment with another GIVEN, which comes first. */
static char **given(const char *what)
{
	static char *list[1024];
	static char text[32];
	size_t count = 1;

	snprintf(text, sizeof(text), "GIVEN=%s", what);
	list[0] = text;
	for (char **one = environ; *one && count < 1023; one++)
		if (strncmp(*one, "GIVEN=", 6))
			list[count++] = *one;
	list[count] = NULL;
	return list;
}

/* By name alone, which is searched for; the first place does not have it. */
static char *searched(void)
{
	static char places[4096];
	char *copy = strdup(path);

	snprintf(places, sizeof(places), "/no/such/place:%s:/usr/bin:/bin", dirname(copy));
	setenv("PATH", places, 1);
	return last;
}

static void become(int stage)
{
	char *arguments[] = {path, stage_text, NULL};
	char **environment;

	switch (stage) {
	case 1:
		execv(path, arguments);
		break;
	case 2:
		execvp(searched(), arguments);
		break;
	case 3:
		environment = given("execvpe");
		execvpe(searched(), arguments, environment);
		break;
	case 4:
		fexecve(open(path, O_RDONLY | O_CLOEXEC), arguments, given("fexecve"));
		break;
	case 5:
		execve(path, arguments, given("execve"));
		break;
	case 6:
		execl(path, path, stage_text, (char *)NULL);
		break;
	case 7:
		execlp(searched(), path, stage_text, (char *)NULL);
		break;
	default:
		execle(path, path, stage_text, (char *)NULL, given("execle"));
		break;
	}
	printf("stage %d: %s\n", stage, strerror(errno));
	exit(1);
}

int main(int argc, char **argv)
{
	const struct sched_param parameter = {.sched_priority = 23};
	const int stage = argc > 1 ? atoi(argv[1]) : 0;

	path = argv[0];
	last = basename(strdup(path));
	if (!stage && sched_setscheduler(0, SCHED_FIFO, &parameter))
		return 77;
	look(stage);
	snprintf(stage_text, sizeof(stage_text), "%d", stage + 1);
	if (stage < 8)
		become(stage + 1);
	return 0;
}
