/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The sender of a signal is reported as it was when it sent the signal, even if the program has
 * become another user's meanwhile. Source: POSIX.1-2017, 2.4.3; kill(2). */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define NOBODY 65534

static sigset_t usr1;
static volatile int waiting;
static volatile int told;

/* A change of the user interrupts every thread. */
static int wait_for_usr1(siginfo_t *info)
{
	int signal;

	do
		signal = sigwaitinfo(&usr1, info);
	while (signal < 0 && errno == EINTR);
	return signal == SIGUSR1;
}

static void *waits(void *unused)
{
	siginfo_t info;

	SHOW(is_task_if_expected());
	for (int i = 0; i < 3; i++) {
		waiting = i + 1;
		SHOW(wait_for_usr1(&info));
		SHOW(info.si_pid == getpid());
		SHOW(info.si_uid);
		told = i + 1;
	}
	return unused;
}

static void send(int turn, int queued)
{
	while (waiting <= turn)
		usleep(1000);
	usleep(20000);
	if (queued)
		sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 1});
	else
		kill(getpid(), SIGUSR1);
	/* The waiter's output comes before the next output of the sender. */
	while (told <= turn)
		usleep(1000);
}

int main(void)
{
	pthread_t thread;

	if (getuid())
		return 77;
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	thread = fifo_thread(20, waits, NULL);
	send(0, 0);
	SHOW(setreuid(NOBODY, 0));
	send(1, 1);
	SHOW(setresuid(NOBODY, NOBODY, NOBODY));
	send(2, 0);
	joined(thread);
	return 0;
}
