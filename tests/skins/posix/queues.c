/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Message queues of real-time threads with each other, with Linux threads and with another program:
 * nothing is lost, order is by priority, limits and errors are those of Linux. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define MS     1000000u
#define ROUNDS 300

static volatile int notified;
static mqd_t queue;
static char name[32];
static sem_t done;

static void *receives(void *argument)
{
	char text[16];
	long sum = 0;
	int number;

	for (int i = 0; i < ROUNDS; i++) {
		if (mq_receive(queue, text, sizeof(text), NULL) != sizeof(number))
			return (void *)-1;
		memcpy(&number, text, sizeof(number));
		sum += number;
	}
	(void)argument;
	return (void *)sum;
}

static void *sends(void *slowly)
{
	for (int i = 1; i <= ROUNDS; i++) {
		if (mq_send(queue, (const char *)&i, sizeof(i), (unsigned)i % 3))
			return (void *)-1;
		if (slowly && i % 3 == 0)
			usleep(50);
	}
	return NULL;
}

/* Receivers above and below the senders, so that messages are handed over and queued in turn. */
static void many(int priority, int real_time_sender)
{
	pthread_t receivers[2], senders[2];
	long sum = 0;

	for (int i = 0; i < 2; i++)
		receivers[i] = i || real_time_sender ? fifo_thread(priority, receives, NULL)
						     : other_thread(receives, NULL);
	for (int i = 0; i < 2; i++)
		senders[i] = real_time_sender ? fifo_thread(40, sends, i ? &queue : NULL)
					      : other_thread(sends, i ? &queue : NULL);
	for (int i = 0; i < 2; i++)
		SHOW(joined(senders[i]) == NULL);
	for (int i = 0; i < 2; i++)
		sum += (long)joined(receivers[i]);
	SHOW(sum);
}

static void take(const char *what)
{
	unsigned priority = 99;
	char text[17] = "";
	ssize_t length = mq_receive(queue, text, 16, &priority);

	printf("%s: %zd %s %u\n", what, length, text, priority);
	fflush(stdout);
}

static void *sends_one(void *slowly)
{
	if (slowly)
		usleep(5000);
	mq_send(queue, "one", 4, 7);
	return NULL;
}

/* Messages that came while no thread waited, also before the caller had ever waited. */
static void order(void)
{
	mq_send(queue, "low", 4, 1);
	mq_send(queue, "high", 5, 9);
	mq_send(queue, "low2", 5, 1);
	take("first");
	take("second");
	take("third");
	joined(other_thread(sends_one, NULL));
	take("from Linux, before");
	joined(other_thread(sends_one, &queue));
	take("from Linux");
	pthread_t thread = other_thread(sends_one, &queue);
	take("from Linux, late");
	joined(thread);
	thread = fifo_thread(60, sends_one, &queue);
	take("from a real-time thread, late");
	joined(thread);
}

/* What another program sends is seen, and what is sent to it arrives. */
static void another_program(void)
{
	for (int i = 0; i < 3; i++) {
		pid_t child = fork();
		int status = -1;

		if (!child) {
			mqd_t again = mq_open(name, O_RDWR);

			if (i)
				usleep(10000);
			_exit(mq_send(again, "child", 6, 3) != 0);
		}
		if (!i)
			waitpid(child, &status, 0);
		take("from a child");
		if (i)
			waitpid(child, &status, 0);
		SHOW(status);
	}
}

static void limits(void)
{
	struct timespec soon = later(CLOCK_REALTIME, 3 * MS), past = {.tv_sec = 1};
	struct timespec wrong = {.tv_nsec = -1};
	struct mq_attr flags = {.mq_flags = O_NONBLOCK};
	char text[16];

	SHOW(mq_timedreceive(queue, text, 16, NULL, &soon));
	SHOW(errno);
	SHOW(now_ns(CLOCK_REALTIME) >=
	     (uint64_t)soon.tv_sec * 1000000000u + (uint64_t)soon.tv_nsec);
	SHOW(mq_timedreceive(queue, text, 16, NULL, &past));
	SHOW(errno);
	SHOW(mq_timedreceive(queue, text, 16, NULL, &wrong));
	SHOW(errno);
	SHOW(mq_receive(queue, text, 15, NULL));
	SHOW(errno);
	SHOW(mq_send(queue, text, 17, 0));
	SHOW(errno);
	SHOW(mq_send(queue, text, 1, 32768));
	SHOW(errno);
	SHOW(mq_receive(-1, text, 16, NULL));
	SHOW(errno);
	SHOW(mq_send(-1, text, 1, 0));
	SHOW(errno);
	SHOW(mq_send(queue, "left", 5, 0));
	SHOW(mq_timedreceive(queue, text, 16, NULL, &past));
	SHOW(mq_setattr(queue, &flags, NULL));
	SHOW(mq_receive(queue, text, 16, NULL));
	SHOW(errno);
	flags.mq_flags = 0;
	SHOW(mq_setattr(queue, &flags, NULL));
	soon = later(CLOCK_REALTIME, 3 * MS);
	SHOW(mq_timedreceive(queue, text, 16, NULL, &soon));
	SHOW(errno);
}

/* A number that another file had. */
static void descriptors_are_used_again(void)
{
	mqd_t second, first = queue;
	char text[16];

	second = mq_open(name, O_RDONLY);
	SHOW(mq_send(second, "no", 3, 0));
	SHOW(errno);
	SHOW(mq_close(second));
	queue = mq_open(name, O_WRONLY);
	SHOW(queue == second);
	SHOW(mq_receive(queue, text, 16, NULL));
	SHOW(errno);
	SHOW(mq_send(queue, "yes", 4, 0));
	SHOW(close(queue));
	queue = first;
	take("by another descriptor");
}

static void handler(int signal)
{
	(void)signal;
	sem_post(&done);
}

static void *interrupts(void *thread)
{
	usleep(10000);
	pthread_kill(*(pthread_t *)thread, SIGUSR1);
	sem_wait(&done);
	mq_send(queue, "after", 6, 2);
	return NULL;
}

static void interrupted(int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	pthread_t self = pthread_self(), other;

	sigaction(SIGUSR1, &action, NULL);
	errno = 0;
	other = other_thread(interrupts, &self);
	take("interrupted");
	SHOW(errno);
	joined(other);
	if (!flags)
		take("afterwards");
}

static void *waits(void *argument)
{
	take(argument);
	return NULL;
}

static void cancelled(void)
{
	pthread_t thread = fifo_thread(60, waits, "never");

	usleep(5000);
	SHOW(pthread_cancel(thread));
	SHOW(joined(thread) == PTHREAD_CANCELED);
}

static void told(int number)
{
	(void)number;
	notified++;
}

/* POSIX.1-2017, mq_notify(): a message for a thread that waits in mq_receive() causes no
 * notification. */
static void notifies(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
	pthread_t thread = fifo_thread(60, waits, "notified");

	signal(SIGUSR2, told);
	usleep(50000);
	SHOW(mq_notify(queue, &event));
	SHOW(mq_notify(queue, &event));
	SHOW(errno == EBUSY);
	usleep(50000);
	mq_send(queue, "for it", 7, 1);
	joined(thread);
	usleep(20000);
	SHOW(notified);
	SHOW(mq_send(queue, "for none", 9, 1));
	/* The signal may go to any thread. */
	for (int i = 0; i < 10000 && !notified; i++)
		usleep(1000);
	SHOW(notified);
	take("what nobody waited for");
	SHOW(mq_notify(queue, &event));
	SHOW(mq_notify(queue, NULL));
	SHOW(mq_send(queue, "untold", 7, 1));
	usleep(20000);
	SHOW(notified);
	take("what nobody is told of");
}

static void *run(void *argument)
{
	SHOW(is_task_if_expected());
	order();
	another_program();
	limits();
	descriptors_are_used_again();
	interrupted(SA_RESTART);
	interrupted(0);
	cancelled();
	notifies();
	SHOW(is_task_if_expected());
	return argument;
}

int main(void)
{
	struct mq_attr attributes = {.mq_maxmsg = 4, .mq_msgsize = 16};

	sem_init(&done, 0, 0);
	snprintf(name, sizeof(name), "/tactus-test-%d", (int)getpid());
	queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &attributes);
	SHOW(queue == (mqd_t)-1);
	joined(fifo_thread(50, run, NULL));
	many(50, 1);
	many(30, 1);
	many(50, 0);
	SHOW(mq_unlink(name));
	return 0;
}
