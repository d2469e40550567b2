/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pointers that lead nowhere: EFAULT for whoever is Linux's, which a child of a program that had
 * tasks is, and for a task that waits for a signal.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static const struct timespec moment = {0, 1000000};
static void *bad;
static sigset_t set;

#define SHOW_ERROR(expression) \
	(errno = 0, printf("%s = %ld", #expression, (long)(expression)), printf(", %d\n", errno))

static void ask(void)
{
	const struct sigevent none = {.sigev_notify = SIGEV_NONE};
	int fd = timerfd_create(CLOCK_MONOTONIC, 0);
	timer_t timer;

	timer_create(CLOCK_MONOTONIC, (struct sigevent *)(uintptr_t)&none, &timer);
	SHOW_ERROR(poll(bad, 1, 1));
	SHOW_ERROR(ppoll(bad, 1, &moment, NULL));
	SHOW_ERROR(ppoll(NULL, 0, &moment, bad));
	SHOW_ERROR(pselect(0, NULL, NULL, NULL, &moment, bad));
	SHOW_ERROR(sigsuspend(bad));
	SHOW_ERROR(sigtimedwait(bad, NULL, &moment));
	SHOW_ERROR(sigwaitinfo(bad, NULL));
	SHOW_ERROR(timerfd_settime(fd, 0, bad, NULL));
	SHOW_ERROR(timer_settime(timer, 0, bad, NULL));
	SHOW_ERROR(setitimer(ITIMER_REAL, bad, NULL));
	SHOW_ERROR(syscall(SYS_sched_setattr, 0, bad, 0));
	timer_delete(timer);
	close(fd);
}

static void ask_in_child(void)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		ask();
		fflush(stdout);
		_exit(6);
	}
	SHOW(waitpid(child, &status, 0) == child);
	SHOW(status);
}

/* The signal is lost with it, as in Linux. */
static void wait_for_signal(void)
{
	const struct timespec none = {0};

	pthread_sigmask(SIG_BLOCK, &set, NULL);
	syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), SIGUSR1);
	SHOW_ERROR(sigtimedwait(&set, bad, &moment));
	SHOW_ERROR(sigtimedwait(&set, NULL, &none));
}

static void *run(void *argument)
{
	SHOW(is_task_if_expected());
	wait_for_signal();
	ask_in_child();
	return argument;
}

int main(void)
{
	bad = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	joined(fifo_thread(50, run, NULL));
	return 0;
}
