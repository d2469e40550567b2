/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Room for descriptors of our own, made while the process has one thread: Linux enlarges the table
 * at once then. With more, each thread that opens a file waits for a grace period of RCU meanwhile,
 * some 10 ms, for each doubling: so there is room for two of each task, where the program may have
 * as many. It is 8 bytes for each.
 */
#define _GNU_SOURCE
#include "posix/state/high_fd.h"

#include <sys/resource.h>
#include <sys/syscall.h>

#include "posix/state/record.h"

#define ROOM (POSIX_HIGH_FD + 2 * POSIX_WAITERS)

void posix_high_fd_prepare(void)
{
	const int former = errno;
	int last = POSIX_HIGH_FD, moved = -1;
	struct rlimit limit;

	if (!posix_real.syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) &&
	    limit.rlim_cur > POSIX_HIGH_FD)
		last = (int)(limit.rlim_cur < ROOM ? limit.rlim_cur : ROOM) - 1;
	for (int fd = 0; fd < 3 && moved < 0; fd++)
		moved = posix_real.fcntl(fd, F_DUPFD_CLOEXEC, last);
	if (moved >= 0)
		posix_internal_fd_close(moved);
	errno = former;
}
