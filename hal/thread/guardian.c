/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The guardian: a separate process that outlives the program to do one thing. It watches the
 * program by a pidfd, so it learns of any death (also by kill -9). Then it restores the settings of
 * the machine, unless another program still relies on them. By a socket between the two the program
 * dismisses the guardian, and each notices whether the other exists.
 */
#define _GNU_SOURCE

#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "call.h"
#include "high_fd.h"

#define REPAIR_TRIES    250
#define REPAIR_PAUSE_MS 20

static int program_end = -1;

static void keep_only(int a, int b)
{
	int low = a < b ? a : b, high = a < b ? b : a;

	if (low > 0)
		close_range(0, (unsigned)low - 1, 0);
	if (high > low + 1)
		close_range((unsigned)low + 1, (unsigned)high - 1, 0);
	close_range((unsigned)high + 1, ~0u, 0);
}

/*
 * A program that dismisses the guardian waits for the answer, which comes after the first try. A
 * program that was killed may not be gone yet, and may still have the members' lock. And Linux may
 * refuse for a while, in both cases. Neither is a reason to leave the settings changed. If a
 * program dismissed this guardian and the lock is held, the holder is another program, which has
 * its own guardian.
 */
static void restore(int other_end, int (*repair)(void))
{
	bool told = false;
	int error;

	for (unsigned tries = 0; tries <= REPAIR_TRIES; tries++) {
		if (tries)
			poll(NULL, 0, REPAIR_PAUSE_MS);
		error = repair();
		told = told || write(other_end, "", 1) == 1;
		if (!error || (told && error == -EBUSY))
			break;
	}
}

/* The guardian itself. It must not hold the program's pipes open, and must not die with the
 * program's terminal. */
static __attribute__((noreturn)) void guard(int program, int other_end, int (*repair)(void))
{
	struct pollfd fds[2] = {{.fd = program, .events = POLLIN},
				{.fd = other_end, .events = POLLIN}};
	struct sched_param parameter = {0};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sched_setscheduler(0, SCHED_OTHER, &parameter);
	prctl(PR_SET_NAME, "tactus-guardian");
	keep_only(program, other_end);
	if (chdir("/"))
		_exit(1);
	while (poll(fds, 2, -1) < 0 && errno == EINTR)
		;
	restore(other_end, repair);
	_exit(0);
}

int guardian_start(int (*repair)(void))
{
	int program = (int)syscall(SYS_pidfd_open, getpid(), 0);
	int ends[2];
	pid_t child;

	if (program < 0)
		return -errno;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		close(program);
		return -ENOMEM;
	}
	/* Fork twice, so that the guardian is not the program's child; without the handlers that
	 * fork() would run. */
	child = _Fork();
	if (!child) {
		setsid();
		child = _Fork();
		if (!child) {
			close(ends[0]);
			guard(program, ends[1], repair);
		}
		_exit(child < 0);
	}
	close(program);
	close(ends[1]);
	program_end = linux_high_fd(ends[0]);
	if (child > 0) {
		int status = 0;

		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		if (WIFEXITED(status) && !WEXITSTATUS(status))
			return 0;
	}
	guardian_forget();
	return -EAGAIN;
}

bool guardian_dismiss(void)
{
	ssize_t got;
	char byte;

	if (program_end < 0)
		return false;
	shutdown(program_end, SHUT_WR);
	do {
		got = read(program_end, &byte, 1);
	} while (got < 0 && errno == EINTR);
	guardian_forget();
	return got == 1;
}

void guardian_forget(void)
{
	if (program_end >= 0)
		close(program_end);
	program_end = -1;
}
