/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Random programs: message queues, and descriptors of events, timers and pipes with the calls that
 * wait for them. */
#include "random.h"

#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define QUEUES 2
#define SIZE   16

enum { EVENT, BLOCKING_EVENT, TIMER, PIPE, FILES };

static mqd_t queues[QUEUES];
static int files[FILES], pipe_end, set;

static long send_message(unsigned what, unsigned how)
{
	char message[SIZE] = {(char)self->number, (char)self->at};
	const struct timespec past = {0};
	struct timespec then;

	if (how < 2) {
		then = soon(CLOCK_REALTIME);
		return result_of(mq_timedsend(queues[what % QUEUES], message, 2, how, &then));
	}
	if (how < 4)
		return result_of(mq_timedsend(queues[what % QUEUES], message, 2, how, &past));
	return result_of(mq_send(queues[what % QUEUES], message, 2, how));
}

static long receive_message(unsigned what, unsigned how)
{
	char message[SIZE];
	const struct timespec past = {0};
	struct timespec then;
	unsigned priority = 0;
	ssize_t size;

	if (how < 2) {
		then = soon(CLOCK_REALTIME);
		size = mq_timedreceive(queues[what % QUEUES], message, SIZE, &priority, &then);
	} else if (how < 4) {
		size = mq_timedreceive(queues[what % QUEUES], message, SIZE, &priority, &past);
	} else {
		size = mq_receive(queues[what % QUEUES], message, SIZE, &priority);
	}
	if (size != 2)
		return result_of(size);
	return priority * 10000 + (unsigned)message[0] * 100 + (unsigned)message[1];
}

static long look_at_queue(unsigned what, unsigned how)
{
	struct mq_attr attributes;

	(void)how;
	mq_getattr(queues[what % QUEUES], &attributes);
	return attributes.mq_curmsgs;
}

static long write_event(unsigned what, unsigned how)
{
	const uint64_t count = how ? how : UINT64_MAX;

	return result_of(write(files[what % 2], &count, sizeof(count)));
}

static long read_file(unsigned what, unsigned how)
{
	uint64_t count = 0;
	ssize_t size;

	(void)how;
	what %= FILES;
	size = read(files[what], &count, what == PIPE ? 1 : sizeof(count));
	return size < 0 ? -errno : (long)count;
}

static long write_pipe(unsigned what, unsigned how)
{
	(void)what;
	(void)how;
	return result_of(write(pipe_end, "p", 1));
}

static long set_timer(unsigned what, unsigned how)
{
	struct itimerspec at = {0};

	if (how)
		at.it_value = soon(CLOCK_MONOTONIC);
	(void)what;
	return result_of(timerfd_settime(files[TIMER], TFD_TIMER_ABSTIME, &at, NULL));
}

static long poll_files(unsigned what, unsigned how)
{
	struct pollfd asked[FILES];
	struct timespec time = {0};
	long told = 0;
	int count;

	for (unsigned i = 0; i < FILES; i++)
		asked[i] = (struct pollfd){.fd = files[i], .events = POLLIN};
	if (what < 2)
		asked[what].events |= POLLOUT;
	if (how < 4)
		time = in_a_while();
	count = ppoll(asked, how % 2 ? FILES : FILES - 1, how == 7 ? NULL : &time, NULL);
	for (unsigned i = 0; count > 0 && i < FILES; i++)
		told = told * 10 + asked[i].revents;
	return count < 0 ? -errno : count * 10000 + told;
}

static long select_files(unsigned what, unsigned how)
{
	struct timespec time = {0};
	long told = 0;
	fd_set asked;
	int count;

	(void)what;
	FD_ZERO(&asked);
	for (unsigned i = 0; i < FILES - how % 2; i++)
		FD_SET(files[i], &asked);
	if (how < 4)
		time = in_a_while();
	count = pselect(FD_SETSIZE, &asked, NULL, NULL, &time, NULL);
	for (unsigned i = 0; count > 0 && i < FILES; i++)
		told = told * 10 + (FD_ISSET(files[i], &asked) != 0);
	return count < 0 ? -errno : count * 10000 + told;
}

static long wait_set(unsigned what, unsigned how)
{
	struct epoll_event events[FILES];
	struct timespec time = {0};
	long told = 0;
	int count;

	(void)what;
	if (how < 4)
		time = in_a_while();
	count = epoll_pwait2(set, events, how == 1 ? 1 : FILES, how == 7 ? NULL : &time, NULL);
	for (int i = 0; i < count; i++)
		told |= (long)(events[i].events << (8 * events[i].data.u32));
	return count < 0 ? -errno : told;
}

static const struct operation operations[] = {
	{"mq_send", "mq", send_message},     {"mq_receive", "mq", receive_message},
	{"mq_getattr", "mq", look_at_queue}, {"event_write", "event", write_event},
	{"read", "event", read_file},        {"pipe_write", "pipe", write_pipe},
	{"timerfd", "timerfd", set_timer},   {"poll", "poll", poll_files},
	{"select", "poll", select_files},    {"epoll", "epoll", wait_set},
};

static void make(void)
{
	struct epoll_event event = {.events = EPOLLIN};
	char name[32];
	int ends[2];

	for (unsigned i = 0; i < QUEUES; i++) {
		struct mq_attr attributes = {.mq_maxmsg = 1 + (int)chosen(3), .mq_msgsize = SIZE};

		snprintf(name, sizeof(name), "/random-%d-%u", getpid(), i);
		queues[i] = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
		mq_unlink(name);
	}
	files[EVENT] = eventfd(chosen(3), EFD_NONBLOCK | (chosen(2) ? EFD_SEMAPHORE : 0));
	files[BLOCKING_EVENT] = eventfd(0, chosen(2) ? EFD_SEMAPHORE : 0);
	files[TIMER] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	if (pipe2(ends, O_NONBLOCK))
		note("pipe2", 0, -errno);
	files[PIPE] = ends[0];
	pipe_end = ends[1];
	set = epoll_create1(0);
	for (unsigned i = 0; i < FILES; i++) {
		static const uint32_t ways[] = {0, 0, EPOLLET, EPOLLONESHOT};

		event.events = EPOLLIN | ways[chosen(4)];
		event.data.u32 = i;
		if (chosen(4))
			epoll_ctl(set, EPOLL_CTL_ADD, files[i], &event);
	}
}

static void free_all(unsigned round)
{
	const struct timespec past = {0};
	const uint64_t one = 1;
	char message[SIZE] = {99, 0};

	for (unsigned i = 0; i < QUEUES; i++) {
		if (round % 2)
			mq_timedreceive(queues[i], message, SIZE, NULL, &past);
		else
			mq_timedsend(queues[i], message, 2, 0, &past);
	}
	for (unsigned i = EVENT; i <= BLOCKING_EVENT; i++)
		if (write(files[i], &one, sizeof(one)) < 0)
			note("free_all", i, -errno);
	if (write(pipe_end, "r", 1) < 0)
		note("free_all", PIPE, -errno);
}

static void leave(void)
{
}

static void destroy(void)
{
	for (unsigned i = 0; i < QUEUES; i++)
		mq_close(queues[i]);
	for (unsigned i = 0; i < FILES; i++)
		close(files[i]);
	close(pipe_end);
	close(set);
}

const struct kind random_messages = {
	operations, sizeof(operations) / sizeof(operations[0]), make, free_all, leave, destroy,
};
