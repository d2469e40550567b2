/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Room for descriptors of our own, made while the process has one thread: Linux enlarges the table
 * at once then. With more, the first of ours waits for a grace period of RCU, some 10 ms.
 */
#define _GNU_SOURCE
#include "aside.h"

void posix_aside_prepare(void)
{
	const int former = errno;
	int moved = -1;

	for (int fd = 0; fd < 3 && moved < 0; fd++)
		moved = posix_real.fcntl(fd, F_DUPFD_CLOEXEC, POSIX_ASIDE);
	if (moved >= 0)
		posix_own_close(moved);
	errno = former;
}
