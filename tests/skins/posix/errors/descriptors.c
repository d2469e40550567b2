/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers, counters, signals and sets of them that are descriptors. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>

#include "errors.h"

static const struct itimerspec wrong = {.it_value = {.tv_nsec = -1}};
static const struct itimerspec far = {.it_value = {FAR_S, 0}};

static void timers(void)
{
	struct itimerspec now;
	int timer;

	FAILS(EINVAL, timerfd_create(77, 0));
	FAILS(EINVAL, timerfd_create(CLOCK_MONOTONIC, 77));
	AS_NOBODY(FAILS(EPERM, timerfd_create(CLOCK_REALTIME_ALARM, 0)));
	WITHOUT(RLIMIT_NOFILE, FAILS(EMFILE, timerfd_create(CLOCK_MONOTONIC, 0)));
	timer = timerfd_create(CLOCK_MONOTONIC, 0);
	FAILS(EINVAL, timerfd_settime(timer, 0, &wrong, NULL));
	FAILS(EINVAL, timerfd_settime(timer, 77, &far, NULL));
	FAILS(EFAULT, timerfd_settime(timer, 0, nowhere(), NULL));
	NEED(!timerfd_settime(timer, 0, &far, NULL));
	FAILS(EFAULT, timerfd_settime(timer, 0, &far, nowhere()));
	FAILS(EFAULT, timerfd_gettime(timer, nowhere()));
	NEED(!close(timer));
	FAILS(EBADF, timerfd_settime(timer, 0, &far, NULL));
	FAILS(EBADF, timerfd_gettime(timer, &now));
	FAILS(EINVAL, timerfd_settime(STDOUT_FILENO, 0, &far, NULL));
	FAILS(EINVAL, timerfd_gettime(STDOUT_FILENO, &now));
}

static void counters(void)
{
	eventfd_t value;
	int event;

	FAILS(EINVAL, eventfd(0, 77));
	WITHOUT(RLIMIT_NOFILE, FAILS(EMFILE, eventfd(0, 0)));
	event = eventfd(0, EFD_NONBLOCK);
	FAILS(EAGAIN, eventfd_read(event, &value));
	FAILS(EINVAL, eventfd_write(event, UINT64_MAX));
	NEED(!eventfd_write(event, UINT64_MAX - 1));
	FAILS(EAGAIN, eventfd_write(event, 1));
	NEED(!close(event));
	FAILS(EBADF, eventfd_read(event, &value));
	FAILS(EBADF, eventfd_write(event, 1));
	event = eventfd(0, 0);
	INTERRUPTED(FAILS(EINTR, eventfd_read(event, &value)));
	NEED(!eventfd_write(event, UINT64_MAX - 1));
	INTERRUPTED(FAILS(EINTR, eventfd_write(event, 1)));
	NEED(!close(event));
}

static void signals(void)
{
	sigset_t set;
	int fd;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	FAILS(EINVAL, signalfd(-1, &set, 77));
	FAILS(EINVAL, signalfd(STDOUT_FILENO, &set, 0));
	WITHOUT(RLIMIT_NOFILE, FAILS(EMFILE, signalfd(-1, &set, 0)));
	fd = signalfd(-1, &set, 0);
	NEED(!close(fd));
	FAILS(EBADF, signalfd(fd, &set, 0));
}

/* A circle of sets, one too long a chain. */
static void nested(void)
{
	struct epoll_event in = {.events = EPOLLIN};
	int first = epoll_create1(0), second = epoll_create1(0);

	NEED(!epoll_ctl(first, EPOLL_CTL_ADD, second, &in));
	FAILS(ELOOP, epoll_ctl(second, EPOLL_CTL_ADD, first, &in));
	FAILS(EINVAL, epoll_ctl(first, EPOLL_CTL_ADD, first, &in));
	NEED(!close(first));
	NEED(!close(second));
}

static void members(int set, int event)
{
	struct epoll_event in = {.events = EPOLLIN};
	int file = open("/proc/self/exe", O_RDONLY);

	FAILS(ENOENT, epoll_ctl(set, EPOLL_CTL_MOD, event, &in));
	FAILS(ENOENT, epoll_ctl(set, EPOLL_CTL_DEL, event, NULL));
	NEED(!epoll_ctl(set, EPOLL_CTL_ADD, event, &in));
	FAILS(EEXIST, epoll_ctl(set, EPOLL_CTL_ADD, event, &in));
	FAILS(EINVAL, epoll_ctl(set, 77, event, &in));
	FAILS(EINVAL, epoll_ctl(event, EPOLL_CTL_ADD, set, &in));
	FAILS(EPERM, epoll_ctl(set, EPOLL_CTL_ADD, file, &in));
	NEED(!close(file));
	FAILS(EBADF, epoll_ctl(set, EPOLL_CTL_ADD, file, &in));
	FAILS(EBADF, epoll_ctl(file, EPOLL_CTL_ADD, event, &in));
	nested();
}

static void waits(int set, int event)
{
	const struct timespec bad = {.tv_nsec = -1}, none = {0};
	struct epoll_event told;

	INTERRUPTED(FAILS(EINTR, epoll_wait(set, &told, 1, -1)));
	INTERRUPTED(FAILS(EINTR, epoll_pwait(set, &told, 1, -1, NULL)));
	INTERRUPTED(FAILS(EINTR, epoll_pwait2(set, &told, 1, NULL, NULL)));
	FAILS(EINVAL, epoll_wait(set, &told, 0, 0));
	FAILS(EINVAL, epoll_pwait(set, &told, 0, 0, NULL));
	FAILS(EINVAL, epoll_pwait2(set, &told, 0, &none, NULL));
	FAILS(EINVAL, epoll_pwait2(set, &told, 1, &bad, NULL));
	FAILS(EINVAL, epoll_wait(event, &told, 1, 0));
	FAILS(EINVAL, epoll_pwait(event, &told, 1, 0, NULL));
	FAILS(EINVAL, epoll_pwait2(event, &told, 1, &none, NULL));
	NEED(!eventfd_write(event, 1));
	FAILS(EFAULT, epoll_wait(set, nowhere(), 1, -1));
	FAILS(EFAULT, epoll_pwait(set, nowhere(), 1, -1, NULL));
	FAILS(EFAULT, epoll_pwait2(set, nowhere(), 1, NULL, NULL));
	FAILS(EFAULT, epoll_pwait(set, &told, 1, 0, nowhere()));
	FAILS(EFAULT, epoll_pwait2(set, &told, 1, &none, nowhere()));
}

static void sets(void)
{
	const struct timespec none = {0};
	int set, event = eventfd(0, 0);
	struct epoll_event told;

	FAILS(EINVAL, epoll_create(0));
	FAILS(EINVAL, epoll_create1(77));
	WITHOUT(RLIMIT_NOFILE, FAILS(EMFILE, epoll_create(1)));
	WITHOUT(RLIMIT_NOFILE, FAILS(EMFILE, epoll_create1(0)));
	set = epoll_create(1);
	members(set, event);
	waits(set, event);
	NEED(!close(set));
	NEED(!close(event));
	FAILS(EBADF, epoll_wait(set, &told, 1, 0));
	FAILS(EBADF, epoll_pwait(set, &told, 1, 0, NULL));
	FAILS(EBADF, epoll_pwait2(set, &told, 1, &none, NULL));
}

static void cases(void)
{
	timers();
	counters();
	signals();
	sets();
}

int main(void)
{
	return from_every_thread(cases);
}
