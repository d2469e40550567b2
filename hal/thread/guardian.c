/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The guardian: a process of its own that outlives the program by one deed. It watches the program
 * by pidfd, so it learns of any death, kill -9 included, and then puts the machine's settings back
 * unless another program still relies on them. A socket between the two lets the program dismiss
 * it, and tells each whether the other is there.
 */
#define _GNU_SOURCE

#include "guardian.h"

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
 * One that dismisses us waits for the answer, which comes after the first try. One that was killed
 * may be still on its way out, with the members' lock; and Linux may refuse for a while, whether
 * the program ended so or so: neither is a reason to leave things as they are. Of one that was
 * dismissed a lock is another program's, which has a guardian of its own.
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

/* The guardian itself. It must not hold the program's pipes open, nor die of its terminal. */
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
	/* Twice, so that it is nobody's child; without the handlers that fork() would run. */
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
