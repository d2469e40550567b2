/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The first thread ends, and only functions are left that the C library calls (SIGEV_THREAD): the
 * program lives until one of them ends it. Source: POSIX.1-2017, pthread_exit(), 2.4.1. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define BY_TIMER   21
#define BY_MESSAGE 22

static void end(union sigval status)
{
	_exit(status.sival_int);
}

static struct sigevent calls_end(int status)
{
	return (struct sigevent){.sigev_notify = SIGEV_THREAD,
				 .sigev_notify_function = end,
				 .sigev_value.sival_int = status};
}

static void by_timer(void)
{
	const struct itimerspec soon = {.it_value = {.tv_nsec = 50000000}};
	struct sigevent event = calls_end(BY_TIMER);
	timer_t timer;

	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &soon, NULL))
		_exit(1);
}

static void by_message(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = 1};
	struct sigevent event = calls_end(BY_MESSAGE);
	char name[32];
	pid_t sender;
	mqd_t queue;

	snprintf(name, sizeof(name), "/kept_alive.%d", getpid());
	queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
	if (queue < 0 || mq_unlink(name) || mq_notify(queue, &event))
		_exit(1);
	sender = fork();
	if (!sender) {
		usleep(50000);
		_exit(mq_send(queue, "", 1, 0));
	}
}

static void *nothing(void *unused)
{
	printf("task: %d\n", is_task_if_expected());
	fflush(stdout);
	return unused;
}

static long status_of(void (*begin)(void), int has_task)
{
	pid_t child = fork();
	int status;

	if (!child) {
		if (has_task)
			joined(fifo_thread(20, nothing, NULL));
		begin();
		pthread_exit(NULL);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
	for (int has_task = 0; has_task < 2; has_task++) {
		SHOW(status_of(by_timer, has_task));
		SHOW(status_of(by_message, has_task));
	}
	return 0;
}
