/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Room for descriptors of our own, made while the process has one thread: Linux enlarges the table
 * at once then. With more, the first of ours waits for a grace period of RCU, some 10 ms.
 */
#define _GNU_SOURCE
#include "aside.h"

#include <sys/eventfd.h>

void posix_aside_prepare(void)
{
	const int former = errno;
	const int fd = posix_real.eventfd(0, EFD_CLOEXEC);
	const int moved = fd < 0 ? fd : posix_real.fcntl(fd, F_DUPFD_CLOEXEC, POSIX_ASIDE);

	if (fd >= 0)
		posix_own_close(fd);
	if (moved >= 0)
		posix_own_close(moved);
	errno = former;
}
