/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls about descriptors: pipes, which always stay in Linux, and descriptors for which tasks
 * wait. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "calls.h"
#include "common/complain.h"

static int pipe_ends[2], sockets[2];
static int event, timer, set_of_event, set_of_timer, set_of_pipe;
static struct epoll_event readable = {.events = EPOLLIN};

static int put_in(int set, int fd)
{
	return epoll_ctl(set, EPOLL_CTL_ADD, fd, &readable);
}

int calls_prepare_descriptors(void)
{
	event = eventfd(0, 0);
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	set_of_event = epoll_create1(0);
	set_of_timer = epoll_create1(0);
	set_of_pipe = epoll_create1(0);
	if (pipe(pipe_ends) || socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) ||
	    put_in(set_of_event, event) || put_in(set_of_timer, timer) ||
	    put_in(set_of_pipe, pipe_ends[0]))
		return complain("no descriptors: %s", strerror(errno));
	return 0;
}

static int write_and_read(void)
{
	char byte = 0;

	return write(pipe_ends[1], &byte, 1) != 1 || read(pipe_ends[0], &byte, 1) != 1;
}

static int write_and_read_parts(void)
{
	char byte = 0;
	const struct iovec part = {&byte, 1};

	return writev(pipe_ends[1], &part, 1) != 1 || readv(pipe_ends[0], &part, 1) != 1;
}

static int send_and_read(void)
{
	char byte = 0;
	struct iovec part = {&byte, 1};
	const struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};

	return sendmsg(sockets[0], &message, 0) != 1 || read(sockets[1], &byte, 1) != 1;
}

static int poll_one(int fd)
{
	struct pollfd asked = {.fd = fd, .events = POLLIN};

	return poll(&asked, 1, 0);
}

static int poll_pipe(void)
{
	return poll_one(pipe_ends[0]);
}

static int poll_event(void)
{
	return poll_one(event);
}

static int ppoll_pipe(void)
{
	struct pollfd asked = {.fd = pipe_ends[0], .events = POLLIN};
	const struct timespec none = {0};

	return ppoll(&asked, 1, &none, NULL);
}

static int select_pipe(void)
{
	struct timeval none = {0};
	fd_set asked;

	FD_ZERO(&asked);
	FD_SET(pipe_ends[0], &asked);
	return select(pipe_ends[0] + 1, &asked, NULL, NULL, &none);
}

static int pselect_pipe(void)
{
	const struct timespec none = {0};
	fd_set asked;

	FD_ZERO(&asked);
	FD_SET(pipe_ends[0], &asked);
	return pselect(pipe_ends[0] + 1, &asked, NULL, NULL, &none, NULL);
}

static int get_flags(void)
{
	return fcntl(pipe_ends[0], F_GETFL) < 0;
}

static int control(void)
{
	int bytes;

	return ioctl(pipe_ends[0], FIONREAD, &bytes);
}

static int duplicate_and_close(void)
{
	return close(dup(pipe_ends[0]));
}

static int make_event(void)
{
	return close(eventfd(0, 0));
}

static int count_and_take(void)
{
	eventfd_t value;

	return eventfd_write(event, 1) || eventfd_read(event, &value);
}

static int make_set(void)
{
	return close(epoll_create1(0));
}

static int change_pipe(void)
{
	return epoll_ctl(set_of_pipe, EPOLL_CTL_MOD, pipe_ends[0], &readable);
}

static int change_event(void)
{
	return epoll_ctl(set_of_event, EPOLL_CTL_MOD, event, &readable);
}

static int change_timer(void)
{
	return epoll_ctl(set_of_timer, EPOLL_CTL_MOD, timer, &readable);
}

static int wait_for(int set)
{
	struct epoll_event found;

	return epoll_wait(set, &found, 1, 0);
}

static int wait_for_pipe(void)
{
	return wait_for(set_of_pipe);
}

static int wait_for_event(void)
{
	return wait_for(set_of_event);
}

static int make_timer(void)
{
	return close(timerfd_create(CLOCK_MONOTONIC, 0));
}

static int set_timer(void)
{
	const struct itimerspec late = {.it_value.tv_sec = 1000};

	return timerfd_settime(timer, 0, &late, NULL);
}

static int get_timer(void)
{
	struct itimerspec left;

	return timerfd_gettime(timer, &left);
}

static int make_signals(void)
{
	sigset_t signals;

	sigemptyset(&signals);
	return close(signalfd(-1, &signals, 0));
}

const struct call calls_of_descriptors[] = {
	{"write, read, of a pipe", 2, write_and_read},
	{"writev, readv, of a pipe", 2, write_and_read_parts},
	{"sendmsg, read", 2, send_and_read},
	{"poll, of a pipe", 1, poll_pipe},
	{"poll, of an eventfd", 1, poll_event},
	{"ppoll, of a pipe", 1, ppoll_pipe},
	{"select, of a pipe", 1, select_pipe},
	{"pselect, of a pipe", 1, pselect_pipe},
	{"fcntl", 1, get_flags},
	{"ioctl", 1, control},
	{"dup, close", 2, duplicate_and_close},
	{"eventfd, close", 2, make_event},
	{"eventfd_write, _read", 2, count_and_take},
	{"epoll_create1, close", 2, make_set},
	{"epoll_ctl, of a pipe", 1, change_pipe},
	{"epoll_ctl, of an eventfd", 1, change_event},
	{"epoll_ctl, of a timerfd", 1, change_timer},
	{"epoll_wait, of a pipe", 1, wait_for_pipe},
	{"epoll_wait, of an eventfd", 1, wait_for_event},
	{"timerfd_create, close", 2, make_timer},
	{"timerfd_settime", 1, set_timer},
	{"timerfd_gettime", 1, get_timer},
	{"signalfd, close", 2, make_signals},
	{NULL, 0, NULL},
};
