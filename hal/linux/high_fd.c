/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's own file descriptors are not the lowest ones. Programs close(0) and open() another
 * file in its place, start with some of the first three closed, or simply expect the numbers that
 * they have on Linux alone. Source: POSIX.1-2017, 2.14 (the lowest numbered is allocated).
 */
#define _GNU_SOURCE

#include "high_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#define LEAST 256 /* where a program counts on the numbers it gets less than below */

void linux_close(int fd)
{
	int cancel;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
	(void)close(fd);
	pthread_setcancelstate(cancel, NULL);
}

int linux_high_fd(int fd)
{
	const int former = errno;
	struct rlimit limit;
	int least = LEAST, moved;

	if (fd < 0)
		return fd;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 2 < LEAST)
		least = (int)(limit.rlim_cur / 2);
	/* By the C library: skins stand before that, and keep the program from closing it. */
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	if (moved >= 0)
		linux_close(fd);
	errno = former;
	/* Where there is no room it stays. */
	return moved >= 0 ? moved : fd;
}
