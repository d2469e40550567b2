/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A FIFO that is opened, without a wait for somebody at its other end. Linux refuses a writer's
 * then, and lets a reader's in, which asks for writers afterwards; while it waited for one it would
 * be there for writers, too. Source: fifo(7), tee(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "posix/calls/tried.h"
#include "posix/libc/real.h"

struct opening {
	long at, path, flags, mode;
};

static struct opening opening_of(long number, const long a[6])
{
	switch (number) {
	case SYS_open:
		return (struct opening){AT_FDCWD, a[0], a[1], a[2]};
	case SYS_creat:
		return (struct opening){AT_FDCWD, a[0], O_CREAT | O_WRONLY | O_TRUNC, a[1]};
	default:
		return (struct opening){a[0], a[1], a[2], a[3]};
	}
}

static bool is_fifo(const struct opening *opening)
{
	const long flags = opening->flags & O_NOFOLLOW ? AT_SYMLINK_NOFOLLOW : 0;
	struct stat file;

	return !posix_tried_make(SYS_newfstatat, opening->at, opening->path, (long)&file, flags, 0,
				 0) &&
	       S_ISFIFO(file.st_mode);
}

static void close_file(long fd)
{
	(void)posix_tried_make(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* A copy of what the FIFO holds ends at once only where nobody could write more. Without the
 * descriptors for that there may be one. */
static bool has_writer(long fd)
{
	int copy[2];
	long copied;

	if (posix_tried_make(SYS_pipe2, (long)copy, O_CLOEXEC | O_NONBLOCK, 0, 0, 0, 0))
		return true;
	do
		copied = posix_tried_make(SYS_tee, fd, copy[1], 1, SPLICE_F_NONBLOCK, 0, 0);
	while (copied == -EINTR);
	close_file(copy[0]);
	close_file(copy[1]);
	return copied != 0;
}

long posix_tried_open(long number, const long a[6])
{
	const struct opening opening = opening_of(number, a);
	const bool reads = (opening.flags & O_ACCMODE) == O_RDONLY;
	long fd;

	if (opening.flags & (O_NONBLOCK | O_PATH) || (opening.flags & O_ACCMODE) == O_RDWR ||
	    !is_fifo(&opening))
		return POSIX_CALL_GOES_ON;
	fd = posix_tried_make(SYS_openat, opening.at, opening.path, opening.flags | O_NONBLOCK,
			      opening.mode, 0, 0);
	if (fd < 0)
		return fd == -ENXIO && !reads ? -EINTR : POSIX_CALL_GOES_ON;
	if (reads && !has_writer(fd)) {
		close_file(fd);
		return -EINTR;
	}
	(void)posix_real.fcntl((int)fd, F_SETFL, posix_real.fcntl((int)fd, F_GETFL) & ~O_NONBLOCK);
	return fd;
}
