/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Counters and timers that tasks use, through calls of Linux: readv(), writev(), ioctl(), stdio, a
 * second number, a message to a socket, a set made in the old way. No count from before is lost,
 * and all see what is counted afterwards.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"

/* A counter that a task has read before, with 3 to read. */
static int counter(int flags)
{
	const int event = eventfd(1, flags);
	eventfd_t value;

	eventfd_read(event, &value);
	eventfd_write(event, 3);
	return event;
}

static void show_count(int event)
{
	eventfd_t value = 0;

	SHOW(eventfd_read(event, &value));
	SHOW(value);
}

static void by_places(void)
{
	uint64_t value = 4, both[2] = {5, 0};
	const struct iovec parts[] = {{&both[1], 3}, {(char *)&both[1] + 3, 5}};
	const struct iovec one = {&value, sizeof(value)},
			   two[] = {{both, 4}, {(char *)both + 4, 4}};
	const int event = counter(EFD_NONBLOCK);

	SHOW(readv(event, parts, 2));
	SHOW(both[1]);
	SHOW(readv(event, parts, 2));
	SHOW(errno == EAGAIN);
	SHOW(writev(event, &one, 1));
	show_count(event);
	SHOW(eventfd_write(event, 6));
	SHOW(writev(event, &one, 1));
	show_count(event);
	SHOW(writev(event, two, 2));
	SHOW(errno == EINVAL);
	SHOW(close(event));
}

/* It has expired once, and was not read. */
static void of_timer(void)
{
	const struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
	const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	uint64_t value = 0;
	const struct iovec place = {&value, sizeof(value)};

	SHOW(timerfd_settime(timer, 0, &soon, NULL));
	SHOW(read(timer, &value, sizeof(value)));
	SHOW(timerfd_settime(timer, 0, &soon, NULL));
	usleep(3000);
	value = 0;
	SHOW(readv(timer, &place, 1));
	SHOW(value);
	SHOW(timerfd_settime(timer, 0, &soon, NULL));
	SHOW(readv(timer, &place, 1));
	SHOW(value);
	SHOW(close(timer));
}

static void by_control(void)
{
	const int event = counter(0);
	int on = 1, off = 0, bytes = 0, ends[2];
	eventfd_t value;

	SHOW(ioctl(event, FIONBIO, &on));
	show_count(event);
	SHOW(eventfd_read(event, &value));
	SHOW(errno == EAGAIN);
	SHOW(ioctl(event, FIONBIO, &off));
	SHOW(fcntl(event, F_GETFL) & O_NONBLOCK);
	SHOW(close(event));
	SHOW(pipe(ends));
	SHOW(write(ends[1], "five", 5));
	SHOW(ioctl(ends[0], FIONREAD, &bytes));
	SHOW(bytes);
	SHOW(ioctl(ends[0], FIOCLEX));
	SHOW(fcntl(ends[0], F_GETFD));
	close(ends[0]);
	close(ends[1]);
}

static void by_stream(void)
{
	const int event = counter(0);
	uint64_t value = 0;
	FILE *stream = fdopen(event, "r+");

	SHOW(stream != NULL);
	SHOW(setvbuf(stream, NULL, _IONBF, 0));
	SHOW(fileno(stream) == event);
	SHOW(fread(&value, sizeof(value), 1, stream));
	SHOW(value);
	value = 9;
	SHOW(fwrite(&value, sizeof(value), 1, stream));
	show_count(event);
	SHOW(fclose(stream));
	SHOW(eventfd_write(event, 1));
	SHOW(errno == EBADF);
}

static void by_second_number(void)
{
	const int event = counter(0), other = counter(0);
	int ends[2];
	char byte = 0;

	SHOW(dup3(event, other, O_CLOEXEC) == other);
	SHOW(fcntl(other, F_GETFD));
	SHOW(fcntl(event, F_GETFD));
	show_count(other);
	SHOW(eventfd_write(event, 7));
	show_count(other);
	SHOW(eventfd_write(other, 8));
	show_count(event);
	SHOW(pipe(ends));
	SHOW(dup3(ends[0], event, 0) == event);
	SHOW(write(ends[1], "x", 1));
	SHOW(read(event, &byte, 1));
	SHOW(byte);
	SHOW(eventfd_write(other, 2));
	show_count(other);
	close(ends[0]);
	close(ends[1]);
	close(event);
	close(other);
}

static void in_old_set(void)
{
	const struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
	const int set = epoll_create(1), event = counter(0);
	const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct epoll_event in = {.events = EPOLLIN, .data.u32 = 1}, found[2];

	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, event, &in));
	in.data.u32 = 2;
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, timer, &in));
	SHOW(epoll_wait(set, found, 2, -1));
	SHOW(found[0].data.u32);
	show_count(event);
	SHOW(epoll_wait(set, found, 2, 1));
	SHOW(timerfd_settime(timer, 0, &soon, NULL));
	SHOW(epoll_wait(set, found, 2, -1));
	SHOW(found[0].data.u32);
	SHOW(fcntl(set, F_GETFD));
	close(set);
	close(event);
	close(timer);
}

/* Two messages at once, the second of which passes the counter. */
static void by_messages(void)
{
	const int event = counter(0);
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {.header = {CMSG_LEN(sizeof(int)), SOL_SOCKET, SCM_RIGHTS}};
	char text[] = "ab", got[2] = "";
	struct iovec parts[] = {{&text[0], 1}, {&text[1], 1}}, place = {got, 1};
	struct mmsghdr both[2] = {{.msg_hdr = {.msg_iov = &parts[0], .msg_iovlen = 1}},
				  {.msg_hdr = {.msg_iov = &parts[1],
					       .msg_iovlen = 1,
					       .msg_control = &control,
					       .msg_controllen = sizeof(control.room)}}};
	struct msghdr message = {.msg_iov = &place, .msg_iovlen = 1};
	int ends[2], received = -1;

	memcpy(CMSG_DATA(&control.header), &event, sizeof(event));
	SHOW(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
	SHOW(sendmmsg(ends[0], both, 2, 0));
	SHOW(both[0].msg_len + both[1].msg_len);
	SHOW(recvmsg(ends[1], &message, 0));
	SHOW(got[0]);
	memset(&control, 0, sizeof(control));
	message.msg_control = &control;
	message.msg_controllen = sizeof(control.room);
	SHOW(recvmsg(ends[1], &message, 0));
	SHOW(got[0]);
	memcpy(&received, CMSG_DATA(&control.header), sizeof(received));
	show_count(received);
	SHOW(eventfd_write(event, 5));
	show_count(received);
	SHOW(eventfd_write(received, 6));
	show_count(event);
	close(received);
	close(event);
	close(ends[0]);
	close(ends[1]);
}

static void *run(void *argument)
{
	by_places();
	of_timer();
	by_control();
	by_stream();
	by_second_number();
	in_old_set();
	by_messages();
	SHOW(argument ? is_task_if_expected() : is_no_task());
	return NULL;
}

int main(void)
{
	joined(fifo_thread(50, run, run));
	joined(other_thread(run, NULL));
	return 0;
}
