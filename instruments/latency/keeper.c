/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tactus-keeper [--cpu N] COMMAND...: runs a load so that no process of it outlives the
 * measurement. All its descendants are killed at the end of standard input (the process at the
 * other end has died or requests the end), at SIGTERM, SIGINT or SIGHUP, or at the end of the
 * command. This includes descendants in their own process groups and sessions, because orphans
 * become children of this process (subreaper). If this process itself is killed, the kernel kills
 * the command and, if a PID namespace was allowed, all descendants with it. Exit status: 0 after a
 * requested end, 1 if the command ended by itself, 2 if it could not be started.
 */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int parent_of(const char *pid)
{
	char path[64], text[512];
	int parent = -1;
	FILE *file;

	(void)snprintf(path, sizeof(path), "/proc/%.20s/stat", pid);
	file = fopen(path, "r");
	if (file == NULL)
		return -1;
	/* The name may contain blanks and brackets; the fields follow the last bracket. */
	if (fgets(text, sizeof(text), file) != NULL) {
		const char *fields = strrchr(text, ')');

		if (fields == NULL || sscanf(fields, ") %*c %d", &parent) != 1)
			parent = -1;
	}
	(void)fclose(file);
	return parent;
}

static void kill_children(void)
{
	DIR *directory = opendir("/proc");
	const struct dirent *entry;

	if (directory == NULL)
		return;
	while ((entry = readdir(directory)) != NULL) {
		if (isdigit((unsigned char)entry->d_name[0]) &&
		    parent_of(entry->d_name) == getpid())
			(void)kill(atoi(entry->d_name), SIGKILL);
	}
	(void)closedir(directory);
}

/* The children of each killed child become children of this process, so the tree is gone when no
 * child is left. */
static void kill_descendants(void)
{
	const struct timespec pause = {.tv_nsec = 1000000};

	for (;;) {
		pid_t ended;

		kill_children();
		while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (ended < 0 && errno == ECHILD)
			return;
		(void)nanosleep(&pause, NULL);
	}
}

static pid_t start(char **command, const sigset_t *previous)
{
	pid_t child;
	char byte;
	int alive[2];

	if (pipe2(alive, O_CLOEXEC) < 0)
		return -1;
	/* The command becomes the init of the namespace; its death ends the other processes
	 * there. */
	(void)unshare(CLONE_NEWPID);
	child = fork();
	if (child != 0) {
		(void)close(alive[0]);
		return child;
	}
	(void)close(alive[1]);
	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* Only a keeper that died before the line above has closed its end. */
	(void)fcntl(alive[0], F_SETFL, O_NONBLOCK);
	if (read(alive[0], &byte, 1) == 0)
		_exit(127);
	(void)sigprocmask(SIG_SETMASK, previous, NULL);
	if (freopen("/dev/null", "r", stdin) != NULL)
		(void)execvp(command[0], command);
	fprintf(stderr, "tactus-keeper: %s: %s\n", command[0], strerror(errno));
	_exit(127);
}

/* Returns 0 if the end was requested, 1 if the command ended by itself, 2 if it never started. */
static int watch(pid_t command, int signals)
{
	struct pollfd files[] = {{.fd = STDIN_FILENO, .events = POLLIN},
				 {.fd = signals, .events = POLLIN}};
	struct signalfd_siginfo info;
	char byte;
	int status;

	for (;;) {
		if (poll(files, 2, -1) < 0 && errno != EINTR)
			return 0;
		if (files[0].revents != 0 && read(STDIN_FILENO, &byte, 1) <= 0)
			return 0;
		if (files[1].revents == 0 || read(signals, &info, sizeof(info)) != sizeof(info))
			continue;
		if (info.ssi_signo != SIGCHLD)
			return 0;
		/* Other children are orphans of the load, and may end at any time. */
		for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
			if (ended == command)
				return WIFEXITED(status) && WEXITSTATUS(status) == 127 ? 2 : 1;
		}
	}
}

static int pin(const char *text)
{
	cpu_set_t set;
	char *end;
	const long cpu = strtol(text, &end, 10);

	CPU_ZERO(&set);
	if (end != text && *end == '\0' && cpu >= 0 && cpu < CPU_SETSIZE) {
		CPU_SET((int)cpu, &set);
		if (sched_setaffinity(0, sizeof(set), &set) == 0)
			return 0;
	}
	fprintf(stderr, "tactus-keeper: --cpu %s: name a CPU that this process may use\n", text);
	return -1;
}

int main(int argc, char **argv)
{
	sigset_t caught, previous;
	int first = 1;
	int signals, status;
	pid_t command;

	if (argc > 2 && strcmp(argv[1], "--cpu") == 0) {
		if (pin(argv[2]) < 0)
			return 2;
		first = 3;
	}
	if (argc <= first) {
		fprintf(stderr, "usage: tactus-keeper [--cpu N] COMMAND...\n");
		return 2;
	}
	(void)setsid();
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1ul);
	(void)sigemptyset(&caught);
	(void)sigaddset(&caught, SIGCHLD);
	(void)sigaddset(&caught, SIGTERM);
	(void)sigaddset(&caught, SIGINT);
	(void)sigaddset(&caught, SIGHUP);
	(void)sigprocmask(SIG_BLOCK, &caught, &previous);
	signals = signalfd(-1, &caught, SFD_CLOEXEC);
	command = signals < 0 ? -1 : start(&argv[first], &previous);
	if (command < 0) {
		fprintf(stderr, "tactus-keeper: %s: %s\n", argv[first], strerror(errno));
		return 2;
	}
	status = watch(command, signals);
	kill_descendants();
	return status;
}
