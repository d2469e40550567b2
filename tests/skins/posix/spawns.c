/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs that a real-time thread begins: with its policy, priority, affinity and signal mask, or
 * with the requested ones; and the thread is unchanged. usage: spawns [child] */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

extern char **environ;
static char *name;

static void look(void)
{
	struct sched_param parameter;
	sigset_t blocked;
	cpu_set_t cpus;

	SHOW(sched_getscheduler(0));
	SHOW(sched_getparam(0, &parameter));
	SHOW(parameter.sched_priority);
	SHOW(sched_getaffinity(0, sizeof(cpus), &cpus));
	SHOW(CPU_COUNT(&cpus));
	SHOW(sigprocmask(SIG_SETMASK, NULL, &blocked));
	SHOW(sigismember(&blocked, SIGUSR1));
	SHOW(sigismember(&blocked, SIGUSR2));
}

static void spawn(int flags, int policy, int priority)
{
	const struct sched_param parameter = {.sched_priority = priority};
	char *const arguments[] = {name, "child", NULL};
	posix_spawnattr_t attributes;
	sigset_t blocked;
	int status = -1;
	pid_t child = -1;
	int error;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR2);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, (short)flags);
	posix_spawnattr_setschedpolicy(&attributes, policy);
	posix_spawnattr_setschedparam(&attributes, &parameter);
	posix_spawnattr_setsigmask(&attributes, &blocked);
	SHOW(flags);
	error = posix_spawn(&child, name, NULL, flags ? &attributes : NULL, arguments, environ);
	/* Not before the child has printed all of its own output. */
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(error);
	SHOW(status);
	posix_spawnattr_destroy(&attributes);
}

static void spawn_by_shell(void)
{
	char command[1000], line[200];
	FILE *file;

	snprintf(command, sizeof(command), "exec '%s' child", name);
	SHOW(system(command));
	file = popen(command, "r");
	while (file && fgets(line, sizeof(line), file))
		printf("told: %s", line);
	SHOW(file && !pclose(file));
}

static void *spawn_all(void *argument)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	char *const nothing[] = {"nothing", NULL};
	pid_t child;
	sigset_t blocked;

	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &blocked, NULL);
	spawn(0, 0, 0);
	spawn(POSIX_SPAWN_SETSCHEDPARAM, 0, 11);
	spawn(POSIX_SPAWN_SETSCHEDULER, SCHED_RR, 12);
	spawn(POSIX_SPAWN_SETSCHEDULER, SCHED_OTHER, 0);
	spawn(POSIX_SPAWN_SETSIGMASK, 0, 0);
	spawn_by_shell();
	SHOW(posix_spawn(&child, "/no/such/program", NULL, NULL, nothing, environ));
	clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL);
	SHOW(is_task_if_expected());
	look();
	return argument;
}

static void *on_one_cpu(void *argument)
{
	stay_on_one_cpu();
	return spawn_all(argument);
}

static void *without_inheritance(void *argument)
{
	const struct sched_param parameter = {.sched_priority = 41};

	sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameter);
	spawn(0, 0, 0);
	return argument;
}

int main(int argc, char **argv)
{
	name = argv[0];
	if (argc > 1) {
		look();
		return 0;
	}
	joined(fifo_thread(23, spawn_all, NULL));
	joined(thread_with(SCHED_RR, 24, on_one_cpu, NULL));
	joined(other_thread(without_inheritance, NULL));
	return 0;
}
