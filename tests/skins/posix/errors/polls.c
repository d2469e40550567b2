/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Waits for descriptors, of which Tactus serves some (an eventfd's), and Linux others (a
 * pipe's). */
#define _GNU_SOURCE
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/select.h>

#include "errors.h"

/* As compilers call them when they know the size of the array. */
int __poll_chk(struct pollfd *files, nfds_t count, int timeout, size_t bytes);
int __ppoll_chk(struct pollfd *files, nfds_t count, const struct timespec *timeout,
		const sigset_t *mask, size_t bytes);

static const struct timespec wrong = {.tv_nsec = -1}, far = {.tv_sec = FAR_S};

static void interrupted(int fd)
{
	struct pollfd file = {fd, POLLIN, 0};
	struct timeval left = {.tv_sec = FAR_S};
	fd_set set;

	INTERRUPTED(FAILS(EINTR, poll(&file, 1, -1)));
	INTERRUPTED(FAILS(EINTR, poll(&file, 1, FAR_S * 1000)));
	INTERRUPTED(FAILS(EINTR, ppoll(&file, 1, &far, NULL)));
	INTERRUPTED(FAILS(EINTR, __poll_chk(&file, 1, -1, sizeof(file))));
	INTERRUPTED(FAILS(EINTR, __ppoll_chk(&file, 1, NULL, NULL, sizeof(file))));
	FD_ZERO(&set);
	FD_SET(fd, &set);
	INTERRUPTED(FAILS(EINTR, select(fd + 1, &set, NULL, NULL, NULL)));
	INTERRUPTED(FAILS(EINTR, select(fd + 1, &set, NULL, NULL, &left)));
	INTERRUPTED(FAILS(EINTR, pselect(fd + 1, &set, NULL, NULL, &far, NULL)));
}

static void mistakes(int fd)
{
	const struct timeval wrong_us = {.tv_sec = -1};
	volatile nfds_t too_many = 1u << 30; /* the compiler would notice */
	struct pollfd file = {fd, POLLIN, 0};
	struct timeval wrong_time = wrong_us;
	fd_set set;

	FAILS(EINVAL, poll(&file, too_many, 0));
	FAILS(EINVAL, ppoll(&file, too_many, &far, NULL));
	FAILS(EINVAL, __poll_chk(&file, too_many, -1, SIZE_MAX));
	FAILS(EINVAL, __ppoll_chk(&file, too_many, &far, NULL, SIZE_MAX));
	FAILS(EINVAL, ppoll(&file, 1, &wrong, NULL));
	FAILS(EINVAL, __ppoll_chk(&file, 1, &wrong, NULL, sizeof(file)));
	FAILS(EFAULT, poll(nowhere(), 1, -1));
	FAILS(EFAULT, ppoll(nowhere(), 1, NULL, NULL));
	FAILS(EFAULT, __poll_chk(nowhere(), 1, -1, sizeof(file)));
	FAILS(EFAULT, __ppoll_chk(nowhere(), 1, NULL, NULL, sizeof(file)));
	FD_ZERO(&set);
	FD_SET(fd, &set);
	FAILS(EINVAL, select(-1, &set, NULL, NULL, NULL));
	FAILS(EINVAL, pselect(-1, &set, NULL, NULL, NULL, NULL));
	FAILS(EINVAL, select(fd + 1, &set, NULL, NULL, &wrong_time));
	FAILS(EINVAL, pselect(fd + 1, &set, NULL, NULL, &wrong, NULL));
}

static void closed(int fd)
{
	fd_set set;

	FD_ZERO(&set);
	FD_SET(fd, &set);
	FAILS(EBADF, select(fd + 1, &set, NULL, NULL, NULL));
	FAILS(EBADF, pselect(fd + 1, NULL, &set, NULL, NULL, NULL));
}

static void cases(void)
{
	const int event = eventfd(0, 0);
	int ends[2];

	NEED(!pipe(ends));
	interrupted(event);
	interrupted(ends[0]);
	mistakes(event);
	mistakes(ends[0]);
	close(event);
	close(ends[0]);
	close(ends[1]);
	closed(event);
}

int main(void)
{
	return from_every_thread(cases);
}
