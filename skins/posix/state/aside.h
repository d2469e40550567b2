/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of this library's own, by numbers that programs do not count on: open() gives the
 * lowest one that is free (POSIX.1-2017, 2.14).
 */
#ifndef POSIX_ASIDE_H
#define POSIX_ASIDE_H

#include <errno.h>
#include <fcntl.h>

#include "posix/libc/real.h"
#include "posix/state/own.h"

#define POSIX_ASIDE 256 /* where a program counts on the numbers it gets less than below */

/*
 * The same file, closed by an exec, or an error (below 0). Where there is no room it stays. The
 * program does not close it.
 */
static inline int posix_aside(int fd)
{
	const int former = errno;
	int moved;

	if (fd < 0 || fd >= POSIX_ASIDE)
		return posix_own(fd);
	moved = posix_real.fcntl(fd, F_DUPFD_CLOEXEC, POSIX_ASIDE);
	if (moved >= 0)
		posix_own_close(fd);
	errno = former;
	return posix_own(moved >= 0 ? moved : fd);
}

/* By a process that has one thread. */
void posix_aside_prepare(void);

#endif
