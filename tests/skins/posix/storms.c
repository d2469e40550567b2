/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers make calls that POSIX allows them, in a storm of signals, while the interrupted thread
 * is in the middle of calls of the same kind. Source: POSIX.1-2017, 2.4.3 Signal Actions. */
#define _GNU_SOURCE
#include "files.h"

#include <fcntl.h>
#include <mqueue.h>
#include <signal.h>
#include <sys/time.h>

#define ROUNDS 500

static char name[32];
static int counter = -1;
static timer_t timer;
static volatile int handled;

static void writes(int signal)
{
	(void)signal;
	handled++;
	if (counter >= 0)
		given(counter, 1);
}

static void sets_timer(int signal)
{
	const struct itimerspec later = {.it_value = {.tv_sec = 100}};

	(void)signal;
	timer_settime(timer, 0, &later, NULL);
}

static void closes(int signal)
{
	(void)signal;
	close(dup(2));
}

static void handle(void (*handler)(int signal))
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};

	sigaction(SIGALRM, &action, NULL);
}

/* Each time, the first read brings the count from Linux, and the second one waits there or here. */
static void counters(void)
{
	long sum = 0;

	handle(writes);
	for (int i = 0; i < ROUNDS; i++) {
		int fd = eventfd(1, 0);

		counter = fd;
		sum += taken(fd) > 0;
		given(fd, 1);
		sum += taken(fd) > 0;
		counter = -1;
		close(fd);
	}
	SHOW(sum == 2 * ROUNDS);
	SHOW(handled > 0);
}

static void timers(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN};
	struct sched_param parameter;
	long sum = 0;
	int policy;

	SHOW(timer_create(CLOCK_MONOTONIC, &event, &timer));
	handle(sets_timer);
	for (int i = 0; i < ROUNDS; i++) {
		parameter.sched_priority = 40 + i % 3;
		sum += !pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameter);
		sum += !pthread_getschedparam(pthread_self(), &policy, &parameter);
	}
	SHOW(sum == 2 * ROUNDS);
	handle(closes);
	SHOW(timer_delete(timer));
}

static void queues(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};
	long sum = 0;
	char text[16];

	for (int i = 0; i < ROUNDS; i++) {
		mqd_t queue = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);

		sum += !mq_send(queue, "one", 4, 0);
		sum += mq_receive(queue, text, sizeof(text), NULL) == 4;
		mq_close(queue);
	}
	SHOW(sum == 2 * ROUNDS);
	SHOW(mq_unlink(name));
}

static void *run(void *unused)
{
	const struct itimerval often = {{0, 200}, {0, 200}}, never = {0};
	sigset_t set;

	SHOW(is_task_if_expected());
	handle(closes);
	sigemptyset(&set);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	SHOW(setitimer(ITIMER_REAL, &often, NULL));
	counters();
	timers();
	queues();
	SHOW(setitimer(ITIMER_REAL, &never, NULL));
	return unused;
}

int main(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	sigaddset(&set, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	snprintf(name, sizeof(name), "/tactus-storms-%d", (int)getpid());
	joined(fifo_thread(50, run, NULL));
	return 0;
}
