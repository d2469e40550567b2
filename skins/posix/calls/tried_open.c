/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opening a FIFO without a wait for its other end. Linux then refuses a writer, and lets a reader
 * in, which looks for writers afterwards. While a reader waited for a writer, it would also be
 * there for writers. Source: fifo(7), tee(2).
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

/* tee() returns at once only if the FIFO has no writer. If the descriptors for it cannot be made,
 * there may be one. */
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
