/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The task tShell: gets lines by a socket and gives back what they print, with a byte 0 at its end.
 * One terminal at a time is served. The socket is an abstract one, `tactus-vx.PID`, which is gone
 * with the process; the user who runs the program and root may connect.
 */
#define _GNU_SOURCE /* struct ucred, accept4() */
#include <shellLib.h>

#include <errno.h>
#include <intLib.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "shell.h"
#include "vxworks_internal.h"

#define SHELL_PRIORITY 1
#define SHELL_STACK    (64 << 10)
#define LINE_BYTES     1024

static _Atomic int listener = -1;

static int listen_to_terminals(void)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	const int length =
		snprintf(at.sun_path + 1, sizeof(at.sun_path) - 1, "tactus-vx.%d", (int)getpid());
	const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (made >= 0 &&
	    (bind(made, (struct sockaddr *)&at,
		  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)) ||
	     listen(made, 1))) {
		(void)close(made);
		return -1;
	}
	return made;
}

static bool may_use(int terminal)
{
	struct ucred peer;
	socklen_t bytes = sizeof(peer);

	return !getsockopt(terminal, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) &&
	       (peer.uid == geteuid() || !peer.uid);
}

static void serve(FILE *in, FILE *out)
{
	char line[LINE_BYTES];

	while (fgets(line, sizeof(line), in)) {
		char *end = strchr(line, '\n');

		if (end) {
			*end = '\0';
			vxworks_set_out(out);
			vxworks_shell_line(line, out);
			vxworks_set_out(NULL);
		} else {
			fprintf(out, "a line has at most %d characters\n", LINE_BYTES - 2);
			while (!strchr(line, '\n') && fgets(line, sizeof(line), in))
				;
		}
		fputc('\0', out);
		if (fflush(out))
			return;
	}
}

/* A terminal that has gone is an error of the next write, and no signal to the program. */
static void block_pipe_signal(void)
{
	sigset_t pipe;

	sigemptyset(&pipe);
	sigaddset(&pipe, SIGPIPE);
	(void)pthread_sigmask(SIG_BLOCK, &pipe, NULL);
}

static void stop_listening(void)
{
	const int made = atomic_exchange(&listener, -1);

	if (made >= 0)
		(void)close(made);
}

static int shell_task(void)
{
	block_pipe_signal();
	for (;;) {
		const int terminal = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
		FILE *in = terminal >= 0 ? fdopen(terminal, "r") : NULL;
		const int copy = in ? dup(terminal) : -1;
		FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;

		if (out && may_use(terminal))
			serve(in, out);
		if (out)
			(void)fclose(out);
		else if (copy >= 0)
			(void)close(copy);
		if (in)
			(void)fclose(in);
		else if (terminal >= 0)
			(void)close(terminal);
		else if (errno == EBADF || errno == EINVAL)
			break;
		else
			(void)taskDelay(1); /* such as: no descriptor is left now */
	}
	stop_listening();
	return ERROR;
}

STATUS shellInit(int stackSize, int arg)
{
	int none = -1;
	int made;

	(void)arg;
	if (vxworks_begin() == ERROR)
		return ERROR;
	/* In virtual time a task that waits in Linux would stop the simulation. */
	if (vxworks_time_is_virtual())
		return vxworks_fail(ENOTSUP);
	made = listen_to_terminals();
	if (made < 0 || !atomic_compare_exchange_strong(&listener, &none, made)) {
		const int code = made < 0 && errno != EADDRINUSE ? errno : EALREADY;

		if (made >= 0)
			(void)close(made);
		return vxworks_fail(code);
	}
	if (taskSpawn("tShell", SHELL_PRIORITY, VX_FP_TASK, stackSize > 0 ? stackSize : SHELL_STACK,
		      (FUNCPTR)shell_task, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == ERROR) {
		stop_listening();
		return ERROR;
	}
	return OK;
}

void vxworks_shell_by_environment(void)
{
	const char *wanted = getenv("TACTUS_VX_SHELL");

	if (!wanted || !*wanted || !strcmp(wanted, "no"))
		return;
	if (strcmp(wanted, "yes"))
		fprintf(stderr, "%s: TACTUS_VX_SHELL is yes or no, not %s\n",
			program_invocation_short_name, wanted);
	else if (shellInit(0, 0) == ERROR)
		fprintf(stderr, "%s: TACTUS_VX_SHELL: the shell does not start: %s\n",
			program_invocation_short_name, strerror(*vxworks_errno()));
}
