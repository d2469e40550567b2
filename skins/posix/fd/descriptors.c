/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What happens to descriptors. The descriptors of Tactus are not open to the program. A descriptor
 * that is closed, or becomes another file's, is forgotten. A descriptor that gets a second number,
 * is sent to another process, or is used in a way that is not served, is left to Linux for good.
 * Source: POSIX.1-2017, close(), dup(), fcntl(); close_range(2), unix(7).
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* if defined, it makes fcntl() another name of fcntl64() */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "posix/calls/safe_copy.h"
#include "posix/fd/files.h"
#include "posix/fd/queue_registry.h"
#include "posix/libc/real.h"
#include "posix/libc/symbol.h"
#include "posix/state/internal_fds.h"
#include "posix/state/vfork_child.h"

static void forget(int fd)
{
	posix_queue_forget(fd);
	posix_file_forget(fd);
}

/* libtactus may close its own descriptors. */
static bool is_kept(int fd, const void *caller)
{
	return posix_is_internal_fd(fd) &&
	       !(posix_from_tactus(caller) && posix_internal_fd_end(fd));
}

int close(int fd)
{
	if (is_kept(fd, __builtin_return_address(0)))
		return posix_fail(EBADF);
	forget(fd);
	return posix_real.close(fd);
}

static void forget_range(unsigned first, unsigned last)
{
	for (unsigned fd = first; fd <= last && fd < POSIX_FILES; fd++)
		forget((int)fd);
}

/* Close all except the descriptors of Tactus. */
static int close_between(unsigned first, unsigned last, int flags)
{
	int result = 0, kept;

	while (!result && first <= last && (kept = posix_internal_fd_next(first)) >= 0 &&
	       (unsigned)kept <= last) {
		if (first < (unsigned)kept)
			result = posix_real.close_range(first, (unsigned)kept - 1, flags);
		first = (unsigned)kept + 1;
	}
	return result || first > last ? result : posix_real.close_range(first, last, flags);
}

/* Does Linux refuse these flags? Asked for a number that no descriptor can have. If so, nothing is
 * forgotten. */
static bool is_refused(int flags)
{
	return (posix_files_are_known() || !posix_queues_unknown()) &&
	       posix_real.close_range(UINT_MAX, UINT_MAX, flags);
}

int close_range(unsigned first, unsigned last, int flags)
{
	if (!posix_real.close_range) {
		return posix_fail(ENOSYS);
	}
	if (first > last)
		return posix_real.close_range(first, last, flags);
	/* The guardian of libtactus keeps nothing of the program and means all descriptors. */
	if (flags & (int)CLOSE_RANGE_CLOEXEC || posix_from_tactus(__builtin_return_address(0)))
		return posix_real.close_range(first, last, flags);
	if (is_refused(flags))
		return -1;
	forget_range(first, last);
	return close_between(first, last, flags);
}

void closefrom(int first)
{
	const unsigned from = first < 0 ? 0 : (unsigned)first;

	if (!close_range(from, UINT_MAX, 0))
		return;
	forget_range(from, UINT_MAX);
	if (!posix_internal_fd_close_others((int)from) && posix_real.closefrom)
		posix_real.closefrom(first);
}

int dup(int fd)
{
	posix_file_share(fd);
	return posix_real.dup(fd);
}

int dup2(int fd, int to)
{
	int result;

	if (is_kept(to, __builtin_return_address(0)))
		return posix_fail(EBUSY);
	posix_file_share(fd);
	if (fd != to)
		/* while it can still be kept for threads that receive by it */
		posix_queue_forget(to);
	result = posix_real.dup2(fd, to);
	if (result >= 0 && fd != to)
		forget(to);
	return result;
}

int dup3(int fd, int to, int flags)
{
	int result;

	if (is_kept(to, __builtin_return_address(0)))
		return posix_fail(EBUSY);
	posix_file_share(fd);
	if (fd != to)
		posix_queue_forget(to);
	result = posix_real.dup3(fd, to, flags);
	if (result >= 0)
		forget(to);
	return result;
}

/* Commands that need nothing here are tail calls, so that Linux returns directly to the caller, as
 * in masks.c. */
static bool is_linuxs(int command)
{
	return command != F_DUPFD && command != F_DUPFD_CLOEXEC && command != F_SETFL;
}

static int control(int (*real)(int fd, int command, ...), int fd, int command, long argument,
		   const void *caller)
{
	struct posix_file *file = posix_file_of(fd);
	int result;

	if (file && command != F_SETFL)
		posix_file_share(fd);
	result = real(fd, command, argument);
	if (command == F_SETFL)
		posix_queue_flags_changed(fd);
	/* libtactus moves its own descriptors to high numbers, as this library does. */
	if (command == F_DUPFD_CLOEXEC && posix_from_tactus(caller))
		(void)posix_internal_fd(result);
	if (file && command == F_SETFL && !result)
		atomic_store(&file->nonblocking, argument & O_NONBLOCK);
	return result;
}

/* The last argument of both is an int, a pointer or missing: in each case the same register is
 * passed on. */
int posix_fcntl_of(int fd, int command, long argument) __asm__(POSIX_SYMBOL(fcntl));
int posix_fcntl64_of(int fd, int command, long argument) __asm__(POSIX_SYMBOL(fcntl64));
int posix_ioctl_of(int fd, unsigned long request, long argument) __asm__(POSIX_SYMBOL(ioctl));

int posix_fcntl_of(int fd, int command, long argument)
{
	return is_linuxs(command) ? posix_real.fcntl(fd, command, argument)
				  : control(posix_real.fcntl, fd, command, argument,
					    __builtin_return_address(0));
}

int posix_fcntl64_of(int fd, int command, long argument)
{
	return is_linuxs(command) ? posix_real.fcntl64(fd, command, argument)
				  : control(posix_real.fcntl64, fd, command, argument,
					    __builtin_return_address(0));
}

/* FIONBIO, or a request that sets how often a timerfd has expired. */
int posix_ioctl_of(int fd, unsigned long request, long argument)
{
	posix_file_share(fd);
	return posix_real.ioctl(fd, request, argument);
}

static void share_of(const char *data, size_t bytes)
{
	for (size_t at = 0; bytes - at >= sizeof(int); at += sizeof(int)) {
		int fd;

		if (!posix_safe_copy(&fd, data + at, sizeof(fd)))
			return;
		posix_file_share(fd);
	}
}

/* Linux refuses invalid addresses. */
static __attribute__((noinline)) void share_sent(const struct msghdr *named)
{
	struct msghdr header;
	struct cmsghdr part;

	if (!posix_files_are_known() || !posix_safe_copy(&header, named, sizeof(header)))
		return;
	for (size_t at = 0; header.msg_control && at + sizeof(part) <= header.msg_controllen;
	     at += CMSG_ALIGN(part.cmsg_len)) {
		const char *place = (const char *)header.msg_control + at;

		if (!posix_safe_copy(&part, place, sizeof(part)) || part.cmsg_len < sizeof(part) ||
		    part.cmsg_len > header.msg_controllen - at)
			return;
		if (part.cmsg_level == SOL_SOCKET && part.cmsg_type == SCM_RIGHTS)
			share_of(place + CMSG_LEN(0), part.cmsg_len - CMSG_LEN(0));
	}
}

ssize_t sendmsg(int fd, const struct msghdr *header, int flags)
{
	share_sent(header);
	return posix_real.sendmsg(fd, header, flags);
}

int sendmmsg(int fd, struct mmsghdr *headers, unsigned count, int flags)
{
	/* Linux looks at no more than UIO_MAXIOV headers. */
	for (unsigned i = 0; headers && i < count && i < UIO_MAXIOV; i++)
		share_sent(&headers[i].msg_hdr);
	return posix_real.sendmmsg(fd, headers, count, flags);
}

ssize_t readv(int fd, const struct iovec *places, int count)
{
	posix_file_share(fd);
	return posix_real.readv(fd, places, count);
}

ssize_t writev(int fd, const struct iovec *places, int count)
{
	posix_file_share(fd);
	return posix_real.writev(fd, places, count);
}

FILE *fdopen(int fd, const char *mode)
{
	posix_file_share(fd);
	return posix_real.fdopen(fd, mode);
}
