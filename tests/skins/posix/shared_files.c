/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* timerfd and eventfd of a real-time thread that are also used in other ways: as members of sets in
 * Linux, by other numbers, by other processes. What one way gives, another way takes, once. */
#include "files.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define WAITS 5

extern char **environ;
static int given_up[WAITS], ends[WAITS];

/* Sets with members that are not served, and sets of sets. */
static void with_other_files(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), pipes[2];
	int inner = epoll_create1(0), outer = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN}, told;
	struct pollfd both[2];

	if (pipe(pipes))
		exit(1);
	set_in(timer, 1 * MS, 0);
	SHOW(taken(timer));
	set_in(timer, 2 * MS, 0);
	both[0] = (struct pollfd){timer, POLLIN, 0};
	both[1] = (struct pollfd){pipes[0], POLLIN, 0};
	SHOW(poll(both, 2, 5000) == 1 && both[0].revents == POLLIN);
	SHOW(taken(timer));
	SHOW(epoll_ctl(inner, EPOLL_CTL_ADD, timer, &event));
	set_in(timer, 1 * MS, 0);
	SHOW(epoll_wait(inner, &told, 1, 5000));
	SHOW(taken(timer));
	SHOW(epoll_ctl(outer, EPOLL_CTL_ADD, inner, &event));
	set_in(timer, 1 * MS, 0);
	SHOW(epoll_wait(outer, &told, 1, 5000));
	SHOW(taken(timer));
	event.events = EPOLLIN | EPOLLET;
	SHOW(epoll_ctl(inner, EPOLL_CTL_MOD, timer, &event));
	set_in(timer, 1 * MS, 0);
	SHOW(epoll_wait(inner, &told, 1, 5000) + epoll_wait(inner, &told, 1, 5));
	close(timer);
	close(inner);
	close(outer);
	close(pipes[0]);
	close(pipes[1]);
}

/* The second end of a pair of sockets: its descriptor arrives under another number. */
static int passed(int fd)
{
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = {0};
	char text = 'x';
	struct iovec place = {&text, 1};
	struct msghdr message = {.msg_iov = &place,
				 .msg_iovlen = 1,
				 .msg_control = &control,
				 .msg_controllen = sizeof(control)};
	int pair[2], result;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
		exit(1);
	control.header = (struct cmsghdr){.cmsg_len = CMSG_LEN(sizeof(int)),
					  .cmsg_level = SOL_SOCKET,
					  .cmsg_type = SCM_RIGHTS};
	memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
	if (sendmsg(pair[0], &message, 0) != 1 || recvmsg(pair[1], &message, 0) != 1)
		exit(1);
	memcpy(&result, CMSG_DATA(&control.header), sizeof(result));
	close(pair[0]);
	close(pair[1]);
	return result;
}

static void by_other_numbers(int (*other_number)(int))
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), counter = eventfd(0, 0), other;

	set_in(timer, 1 * MS, 0);
	SHOW(taken(timer));
	given(counter, 1);
	SHOW(taken(counter));
	set_in(timer, 2 * MS, 0);
	given(counter, 5);
	other = other_number(timer);
	SHOW(taken(other));
	set_in(other, 2 * MS, 0);
	SHOW(taken(timer));
	close(other);
	other = other_number(counter);
	SHOW(taken(other));
	given(other, 6);
	SHOW(taken(counter));
	close(other);
	close(timer);
	close(counter);
}

static int by_fcntl(int fd)
{
	return fcntl(fd, F_DUPFD_CLOEXEC, 100);
}

static int onto_another(int fd)
{
	return dup2(fd, eventfd(77, 0));
}

/* A child also has them: what it takes is gone, what it gives is there. */
static void with_a_child(void)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), counter = eventfd(0, 0), status;
	char *arguments[] = {"sh", "-c", "test `od -An -tu8 -N8` = 1", NULL};
	posix_spawn_file_actions_t actions;
	pid_t child;

	set_in(timer, 1 * MS, 0);
	SHOW(taken(timer));
	given(counter, 1);
	SHOW(taken(counter));
	set_in(timer, 1 * MS, 0);
	given(counter, 4);
	child = fork();
	if (!child) {
		status = taken(timer) == 1 && taken(counter) == 4 && !given(counter, 9);
		_exit(status);
	}
	SHOW(waitpid(child, &status, 0) == child && WEXITSTATUS(status));
	SHOW(taken(counter));
	close(counter);
	counter = eventfd(0, 0);
	given(counter, 1);
	SHOW(taken(counter));
	given(counter, 1);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, counter, STDIN_FILENO);
	SHOW(posix_spawnp(&child, "sh", &actions, NULL, arguments, environ));
	posix_spawn_file_actions_destroy(&actions);
	SHOW(waitpid(child, &status, 0) == child && status);
	fcntl(counter, F_SETFL, O_NONBLOCK);
	SHOW(taken(counter));
	close(counter);
	close(timer);
}

/* A member that is closed, except under its other number: the set still reports it. */
static void by_a_set(int before)
{
	int timer = timerfd_create(CLOCK_MONOTONIC, 0), counter = eventfd(0, 0), other = -1;
	struct epoll_event first = {.events = EPOLLIN, .data.u64 = 1}, told = {0};
	struct epoll_event second = {.events = EPOLLIN, .data.u64 = 2};
	int set = epoll_create1(0);

	if (before)
		other = dup(counter);
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, counter, &first));
	SHOW(epoll_ctl(set, EPOLL_CTL_ADD, timer, &second));
	set_in(timer, 1 * MS, 0);
	SHOW(epoll_wait(set, &told, 1, 5000) == 1 && told.data.u64 == 2);
	SHOW(taken(timer));
	if (!before)
		other = dup(counter);
	close(counter);
	given(other, 1);
	SHOW(epoll_wait(set, &told, 1, 2000) == 1 && told.data.u64 == 1);
	SHOW(taken(other));
	set_in(timer, 1 * MS, 0);
	SHOW(epoll_wait(set, &told, 1, 5000) == 1 && told.data.u64 == 2);
	close(other);
	close(timer);
	close(set);
}

/* A thread that waits in Linux from now on, because others also want a file of Linux, no longer
 * waits for that. */
static void *waits_for_nothing(void *way)
{
	const uint64_t begun_ns = now_ns(CLOCK_MONOTONIC), asked_ns = 600 * MS;
	const struct timespec wait = {.tv_nsec = 600 * MS};
	struct timeval wait_us = {.tv_usec = 600000};
	const int number = (int)(intptr_t)way;
	struct pollfd one = {given_up[number], POLLIN, 0};
	struct epoll_event event = {.events = EPOLLIN};
	uint64_t waited_ns;
	fd_set files;

	FD_ZERO(&files);
	FD_SET(one.fd, &files);
	switch (number) {
	case 0:
		ends[number] = poll(&one, 1, 600);
		break;
	case 1:
		ends[number] = ppoll(&one, 1, &wait, NULL);
		break;
	case 2:
		ends[number] = select(one.fd + 1, &files, NULL, NULL, &wait_us);
		break;
	case 3:
		ends[number] = pselect(one.fd + 1, &files, NULL, NULL, &wait, NULL);
		break;
	default:
		one.fd = epoll_create1(0);
		epoll_ctl(one.fd, EPOLL_CTL_ADD, given_up[number], &event);
		ends[number] = epoll_wait(one.fd, &event, 1, 600);
		close(one.fd);
	}
	waited_ns = now_ns(CLOCK_MONOTONIC) - begun_ns;
	return (void *)(long)(waited_ns >= asked_ns && waited_ns < asked_ns * 3 / 2);
}

static void given_up_meanwhile(void)
{
	struct pollfd files[WAITS + 1];
	pthread_t waits[WAITS];
	int pipes[2];

	if (pipe(pipes))
		exit(1);
	for (intptr_t i = 0; i < WAITS; i++) {
		given_up[i] = eventfd(0, 0);
		files[i] = (struct pollfd){given_up[i], POLLIN, 0};
		waits[i] = fifo_thread(30, waits_for_nothing, (void *)i);
	}
	files[WAITS] = (struct pollfd){pipes[0], POLLIN, 0};
	usleep(450000);
	SHOW(poll(files, WAITS + 1, 1));
	for (int i = 0; i < WAITS; i++) {
		printf("wait %d took its time: %ld\n", i, (long)joined(waits[i]));
		SHOW(ends[i]);
		close(given_up[i]);
	}
	close(pipes[0]);
	close(pipes[1]);
}

static void *real_time(void *unused)
{
	(void)unused;
	SHOW(is_task_if_expected());
	with_other_files();
	by_other_numbers(dup);
	by_other_numbers(by_fcntl);
	by_other_numbers(onto_another);
	by_other_numbers(passed);
	by_a_set(0);
	by_a_set(1);
	with_a_child();
	given_up_meanwhile();
	return NULL;
}

int main(void)
{
	joined(fifo_thread(20, real_time, NULL));
	return 0;
}
