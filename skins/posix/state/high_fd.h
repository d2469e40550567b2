/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors of this library's own, with numbers that programs do not expect: open() returns the
 * lowest free one (POSIX.1-2017, 2.14).
 */
#ifndef POSIX_HIGH_FD_H
#define POSIX_HIGH_FD_H

#include <errno.h>
#include <fcntl.h>

#include "posix/libc/real.h"
#include "posix/state/internal_fds.h"

#define POSIX_HIGH_FD 256 /* programs that expect certain numbers have lower ones */

/*
 * Move a descriptor to a high number, and let exec close it. Returns the new number, or an error
 * (below 0). If there is no room, the number stays. The program does not close it.
 */
static inline int posix_high_fd(int fd)
{
	const int former = errno;
	int moved;

	if (fd < 0 || fd >= POSIX_HIGH_FD)
		return posix_internal_fd(fd);
	moved = posix_real.fcntl(fd, F_DUPFD_CLOEXEC, POSIX_HIGH_FD);
	if (moved >= 0)
		posix_internal_fd_close(fd);
	errno = former;
	return posix_internal_fd(moved >= 0 ? moved : fd);
}

/* To be called while the process has one thread. */
void posix_high_fd_prepare(void);

#endif
