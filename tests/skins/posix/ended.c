/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program with a task that a signal ends, for endings.py. usage: ended SIGNAL HOW. HOW it comes:
 * process, to the program; task, to the task; stream, while main() has the error output's lock;
 * again, from a handler of the program that restores the default action; ignored, handled: it does
 * not end; child, in a fork's child; vforked, in a vfork's; spawned, in one that execs; exec: the
 * program becomes another one, which has the signal unchanged.
 */
#include "check.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#define RESTORER 0x04000000u /* the flag that the C library adds */

static int number;
static atomic_int beats;

static void *beat(void *unused)
{
	struct timespec next = later(CLOCK_MONOTONIC, 1000000);

	for (;;) {
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		next = later(CLOCK_MONOTONIC, 1000000);
		beats++;
	}
	return unused;
}

static void show_action(const char *when)
{
	struct sigaction now;

	sigaction(number, NULL, &now);
	printf("%s: %s, flags %x\n", when,
	       now.sa_handler == SIG_DFL   ? "default"
	       : now.sa_handler == SIG_IGN ? "ignored"
					   : "handled",
	       (unsigned)now.sa_flags & ~RESTORER);
	fflush(stdout);
}

static void go_on(int signal)
{
	(void)signal;
}

static void end_by_default(int signal)
{
	struct sigaction normal = {.sa_handler = SIG_DFL}, former;

	sigaction(signal, &normal, &former);
	printf("former: %d\n", former.sa_handler == end_by_default);
	show_action("in the handler");
	raise(signal);
}

static void wait_for(pid_t child)
{
	int status = 0;

	waitpid(child, &status, 0);
	printf("child: %x\n", (unsigned)status);
}

static void end_children(const char *how)
{
	pid_t child;

	if (!strcmp(how, "child")) {
		child = fork();
		if (!child) {
			show_action("in the child");
			raise(number);
			_exit(9);
		}
		wait_for(child);
	} else if (!strcmp(how, "vforked")) {
		child = vfork();
		if (!child) {
			kill(getpid(), number);
			_exit(9);
		}
		wait_for(child);
	} else if (!strcmp(how, "spawned")) {
		char command[64];

		snprintf(command, sizeof(command), "kill -%d $$; exit 9", number);
		printf("child: %x\n", (unsigned)system(command));
	}
}

int main(int argc, char **argv)
{
	const char *how = argc > 2 ? argv[2] : "process";
	struct timespec some = {.tv_nsec = 20000000};
	pthread_t task;

	number = argc > 1 ? atoi(argv[1]) : SIGINT;
	task = fifo_thread(50, beat, NULL);
	while (beats < 5)
		nanosleep(&some, NULL);
	show_action("first");
	end_children(how);
	if (!strcmp(how, "again"))
		signal(number, end_by_default);
	if (!strcmp(how, "handled"))
		signal(number, go_on);
	if (!strcmp(how, "ignored"))
		signal(number, SIG_IGN);
	show_action("then");
	if (!strcmp(how, "exec"))
		execlp("sh", "sh", "-c", "kill -$0 $$; exit 9", argv[1], NULL);
	if (!strcmp(how, "stream"))
		flockfile(stderr);
	if (!strcmp(how, "task"))
		pthread_kill(task, number);
	else
		kill(getpid(), number);
	nanosleep(&some, NULL);
	/* Another thread may be the one that ends it. */
	while (!strcmp(how, "task"))
		pause();
	printf("went on\n");
	return 4;
}
