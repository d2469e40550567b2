/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Room for this library's own descriptors, made while the process has one thread, because then
 * Linux enlarges the table at once. With more threads, each doubling of the table takes a grace
 * period of RCU, some 10 ms, for which each thread that opens a file waits. So room is made for two
 * descriptors of each task, if the program may have as many. Each costs 8 bytes.
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
