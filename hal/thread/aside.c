/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The library's own file descriptors are not the lowest ones. Programs close(0) and open() another
 * file in its place, start with some of the first three closed, or simply expect the numbers that
 * they have on Linux alone. Source: POSIX.1-2017, 2.14 (the lowest numbered is allocated).
 */
#define _GNU_SOURCE
#include "thread.h"

#include <fcntl.h>
#include <sys/resource.h>

#include "call.h"

#define LEAST 256 /* where a program counts on the numbers it gets less than below */

int thread_aside(int fd)
{
	struct rlimit limit;
	long least = LEAST, moved;

	if (fd < 0)
		return fd;
	if (!getrlimit(RLIMIT_NOFILE, &limit) && limit.rlim_cur / 2 < LEAST)
		least = (long)(limit.rlim_cur / 2);
	if (fd >= least)
		return fd;
	moved = call3(SYS_fcntl, fd, F_DUPFD_CLOEXEC, least);
	/* Where there is no room it stays. */
	if (moved < 0)
		return fd;
	(void)call3(SYS_close, fd, 0, 0);
	return (int)moved;
}
