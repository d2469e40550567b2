/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Descriptors of message queues that end, and whose numbers other files get, while threads wait;
 * the order of many messages, and of threads that wait. */
#define _GNU_SOURCE
#include "files.h"

#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <sys/wait.h>

#define SMALL  16
#define LARGE  256
#define STREAM 1500

static char name[2][32];
static mqd_t queue;

static struct {
	char text[SMALL];
	char beyond[LARGE];
	ssize_t length;
} received;

static mqd_t open_queue(int which, long bytes, int flags)
{
	struct mq_attr attributes = {.mq_maxmsg = 8, .mq_msgsize = bytes};

	return mq_open(name[which], flags | O_CREAT, 0600, &attributes);
}

static volatile int begun;

static void *receives(void *unused)
{
	(void)unused;
	SHOW(is_task_if_expected());
	begun = 1;
	received.length = mq_receive(queue, received.text, SMALL, NULL);
	return NULL;
}

static void begin_to_receive(pthread_t *thread)
{
	memset(&received, 0, sizeof(received));
	queue = open_queue(0, SMALL, O_RDWR);
	begun = 0;
	*thread = fifo_thread(60, receives, NULL);
	while (!begun)
		usleep(1000);
	usleep(100000);
}

static void show_received(pthread_t thread)
{
	long beyond = 0;

	joined(thread);
	for (int i = 0; i < LARGE; i++)
		beyond += received.beyond[i];
	printf("received %zd: %s, beyond it %ld\n", received.length, received.text, beyond);
	fflush(stdout);
}

/* Its last descriptor is closed under a waiter, which continues; its place does not go to another
 * queue. */
static void closed_under_a_waiter(int by_dup2)
{
	char text[LARGE];
	pthread_t thread;
	mqd_t other;

	begin_to_receive(&thread);
	if (by_dup2) {
		other = open_queue(1, LARGE, O_RDWR);
		SHOW(dup2(other, queue) == queue);
	} else {
		SHOW(mq_close(queue));
		other = open_queue(1, LARGE, O_RDWR);
		SHOW(other == queue);
	}
	memset(text, 'x', LARGE);
	for (int i = 0; i < 2; i++)
		SHOW(mq_send(other, text, LARGE, 0));
	usleep(20000);
	SHOW(received.length);
	queue = open_queue(0, SMALL, O_RDWR);
	SHOW(mq_send(queue, "for the first", 14, 0));
	show_received(thread);
	for (int i = 0; i < 2; i++)
		SHOW(mq_receive(other, text, LARGE, NULL));
	mq_close(queue);
	mq_close(other);
}

static pid_t child_sends(void)
{
	pid_t child = fork();

	if (!child) {
		mqd_t again = mq_open(name[0], O_WRONLY);

		usleep(20000);
		_exit(mq_send(again, "of a child", 11, 0) || mq_close(again));
	}
	return child;
}

static void ends_well(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	SHOW(status);
}

/* What another process sends reaches a thread that waits by a closed descriptor. */
static void told_after_the_end(void)
{
	pthread_t thread;
	pid_t child;

	begin_to_receive(&thread);
	mq_close(queue);
	child = child_sends();
	show_received(thread);
	ends_well(child);
}

static void *gives_later(void *fd)
{
	usleep(20000);
	given((int)(intptr_t)fd, 3);
	return NULL;
}

static void wait_for_counter(int *number)
{
	int fd = eventfd(0, 0);
	pthread_t other;

	if (*number >= 0)
		SHOW(fd == *number);
	*number = fd;
	other = other_thread(gives_later, (void *)(intptr_t)fd);
	SHOW(taken(fd));
	joined(other);
	close(fd);
}

static void receive_of_child(int number)
{
	struct mq_attr flags = {0};
	char text[SMALL] = "";
	pid_t child;

	queue = open_queue(0, SMALL, O_RDWR);
	SHOW(queue == number);
	child = child_sends();
	SHOW(mq_receive(queue, text, SMALL, NULL));
	ends_well(child);
	SHOW(mq_setattr(queue, &flags, NULL));
	mq_close(queue);
}

/* The number of a counter with a waiter becomes that of a queue, and the reverse. */
static void *numbers(void *unused)
{
	int number = -1;

	for (int i = 0; i < 2; i++) {
		wait_for_counter(&number);
		receive_of_child(number);
		receive_of_child(number);
	}
	return unused;
}

static void *sends_many(void *unused)
{
	for (int i = 0; i < STREAM; i++)
		if (mq_send(queue, (const char *)&i, sizeof(i), 0))
			return (void *)-1;
	return unused;
}

static void *receives_many(void *unused)
{
	long wrong = 0;
	char text[SMALL];
	int number;

	(void)unused;
	for (int i = 0; i < STREAM; i++) {
		if (mq_receive(queue, text, SMALL, NULL) != sizeof(number))
			return (void *)-1;
		memcpy(&number, text, sizeof(number));
		wrong += number != i;
	}
	return (void *)wrong;
}

/* Of one sender, no message overtakes another; sender 0: a Linux thread. */
static void in_order(int sender)
{
	pthread_t to, from;

	queue = open_queue(0, SMALL, O_RDWR);
	to = fifo_thread(50, receives_many, NULL);
	from = sender ? fifo_thread(sender, sends_many, NULL) : other_thread(sends_many, NULL);
	SHOW((long)joined(from));
	SHOW((long)joined(to));
	mq_close(queue);
}

static mqd_t other;
static sem_t ready, may_wait[2];

static void *receives_twice(void *argument)
{
	const long number = (long)(intptr_t)argument;
	char text[LARGE] = "";

	mq_receive(queue, text, LARGE, NULL);
	if (!number)
		mq_receive(other, text, LARGE, NULL);
	sem_post(&ready);
	sem_wait(&may_wait[number]);
	mq_receive(queue, text, LARGE, NULL);
	return (void *)(long)text[0];
}

/* Among equals, the one that has waited longest is first, also if a queue for which it waited
 * earlier has a message. */
static void *sends_in_turn(void *unused)
{
	pthread_t receivers[2];

	(void)unused;
	for (intptr_t i = 0; i < 2; i++) {
		receivers[i] = fifo_thread(60, receives_twice, (void *)i);
		usleep(50000);
		mq_send(queue, "q", 1, 0);
		usleep(50000);
		if (!i)
			mq_send(other, "o", 1, 0);
		sem_wait(&ready);
	}
	for (int i = 0; i < 2; i++) {
		sem_post(&may_wait[i]);
		usleep(50000);
	}
	mq_send(other, "o", 1, 0);
	usleep(20000);
	mq_send(queue, "1", 1, 0);
	mq_send(queue, "2", 1, 0);
	for (int i = 0; i < 2; i++)
		printf("receiver %d had %c\n", i, (int)(long)joined(receivers[i]));
	return NULL;
}

static void longest_waits(void)
{
	queue = open_queue(0, SMALL, O_RDWR);
	other = open_queue(1, LARGE, O_RDWR);
	sem_init(&ready, 0, 0);
	for (int i = 0; i < 2; i++)
		sem_init(&may_wait[i], 0, 0);
	stay_on_one_cpu();
	joined(fifo_thread(10, sends_in_turn, NULL));
	mq_close(queue);
	mq_close(other);
}

int main(void)
{
	for (int i = 0; i < 2; i++)
		snprintf(name[i], sizeof(name[i]), "/tactus-ends-%d-%d", (int)getpid(), i);
	closed_under_a_waiter(0);
	closed_under_a_waiter(1);
	told_after_the_end();
	joined(fifo_thread(50, numbers, NULL));
	in_order(0);
	in_order(40);
	in_order(60);
	longest_waits();
	for (int i = 0; i < 2; i++)
		SHOW(mq_unlink(name[i]));
	return 0;
}
