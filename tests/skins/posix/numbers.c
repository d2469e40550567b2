/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program gets the lowest free descriptor, whatever its tasks have: for a file in place of its
 * input, and while its threads come and wait. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static void *waits(void *unused)
{
	const struct timespec moment = {.tv_nsec = 1000000};
	sigset_t set;

	SHOW(is_task_if_expected());
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	SHOW(sigtimedwait(&set, NULL, &moment));
	SHOW(open("/dev/null", O_RDONLY | O_CLOEXEC));
	return unused;
}

int main(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	SHOW(close(STDIN_FILENO));
	joined(fifo_thread(40, waits, NULL));
	SHOW(open("/dev/null", O_RDONLY | O_CLOEXEC));
	SHOW(close(STDIN_FILENO));
	joined(fifo_thread(40, waits, NULL));
	SHOW(dup(STDOUT_FILENO));
	return 0;
}
