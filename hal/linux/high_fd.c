/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's own file descriptors are not the lowest ones. Programs close(0) and open() another
 * file in its place, start with some of the first three closed, or simply expect the numbers that
 * Linux alone would give them. Source: POSIX.1-2017, 2.14 (the lowest numbered is allocated).
 */
#define _GNU_SOURCE

#include "high_fd.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/resource.h>
#include <unistd.h>

#define LEAST 256 /* programs depend on such numbers less than on lower ones */

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
	/* Through the C library: skins intercept fcntl(), and keep the program from closing the
	 * descriptor. */
	moved = fcntl(fd, F_DUPFD_CLOEXEC, least);
	if (moved >= 0)
		linux_close(fd);
	errno = former;
	/* If no such number is free, the descriptor keeps its number. */
	return moved >= 0 ? moved : fd;
}
