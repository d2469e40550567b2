/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Files of programs: the linker puts these functions in place of Linux's in the program's own
 * object files (--wrap). They know the paths and the descriptors of FIFOs; all others go to Linux.
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <rtai_fifos.h>
#include <rtai_file.h>

#include "linux_poll.h"
#include "runtime/open_mode.h"

/* How often files that are no FIFOs are looked at while FIFOs are waited for, too. */
#define LOOK_MS 5
#define MS_NS   1000000ll

typedef int open_function(const char *path, int flags, ...);
typedef int control_function(int fd, int command, ...);

open_function __real_open, __real_open64, __wrap_open, __wrap_open64;
control_function __real_fcntl, __real_fcntl64, __wrap_fcntl, __wrap_fcntl64;
int __wrap___open_2(const char *path, int flags);
int __wrap___open64_2(const char *path, int flags);
int __real_close(int fd);
int __wrap_close(int fd);
ssize_t __real_read(int fd, void *data, size_t bytes);
ssize_t __wrap_read(int fd, void *data, size_t bytes);
ssize_t __real___read_chk(int fd, void *data, size_t bytes, size_t room);
ssize_t __wrap___read_chk(int fd, void *data, size_t bytes, size_t room);
ssize_t __real_write(int fd, const void *data, size_t bytes);
ssize_t __wrap_write(int fd, const void *data, size_t bytes);
int __real_ioctl(int fd, unsigned long request, ...);
int __wrap_ioctl(int fd, unsigned long request, ...);
off_t __real_lseek(int fd, off_t offset, int from);
off_t __wrap_lseek(int fd, off_t offset, int from);
off64_t __real_lseek64(int fd, off64_t offset, int from);
off64_t __wrap_lseek64(int fd, off64_t offset, int from);
int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout);
int __wrap___poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room);
int __wrap_select(int count, fd_set *in, fd_set *out, fd_set *errors, struct timeval *timeout);

/* As calls of Linux return. */
static long told(long result)
{
	if (result >= 0)
		return result;
	errno = (int)-result;
	return -1;
}

int __wrap_open(const char *path, int flags, ...)
{
	const int fd = rtai_file_open(path, flags);
	va_list args;
	mode_t mode;

	if (fd != -ENOENT)
		return (int)told(fd);
	va_start(args, flags);
	mode = runtime_open_mode(flags, args);
	va_end(args);
	return __real_open(path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = runtime_open_mode(flags, args);
	va_end(args);
	return __wrap_open(path, flags | O_LARGEFILE, mode);
}

/* Called by programs that are compiled with _FORTIFY_SOURCE. */
int __wrap___open_2(const char *path, int flags)
{
	return __wrap_open(path, flags);
}

int __wrap___open64_2(const char *path, int flags)
{
	return __wrap_open64(path, flags);
}

int __wrap_close(int fd)
{
	return rtai_file_is(fd) ? (int)told(rtai_file_close(fd)) : __real_close(fd);
}

ssize_t __wrap_read(int fd, void *data, size_t bytes)
{
	return rtai_file_is(fd) ? told(rtai_file_read(fd, data, bytes))
				: __real_read(fd, data, bytes);
}

ssize_t __wrap___read_chk(int fd, void *data, size_t bytes, size_t room)
{
	return rtai_file_is(fd) && bytes <= room ? told(rtai_file_read(fd, data, bytes))
						 : __real___read_chk(fd, data, bytes, room);
}

ssize_t __wrap_write(int fd, const void *data, size_t bytes)
{
	return rtai_file_is(fd) ? told(rtai_file_write(fd, data, bytes))
				: __real_write(fd, data, bytes);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	return rtai_file_is(fd) ? (int)told(rtai_file_ioctl(fd, request, arg))
				: __real_ioctl(fd, request, arg);
}

/* All arguments of fcntl() fit a long. */
static int control(control_function *call, int fd, int command, long arg)
{
	switch (command) {
	case F_GETFL:
	case F_SETFL:
	case F_GETOWN:
	case F_SETOWN:
		if (rtai_file_is(fd))
			return (int)told(rtai_file_fcntl(fd, command, arg));
		break;
	default:
		break;
	}
	return call(fd, command, arg);
}

int __wrap_fcntl(int fd, int command, ...)
{
	va_list args;
	long arg;

	va_start(args, command);
	arg = va_arg(args, long);
	va_end(args);
	return control(__real_fcntl, fd, command, arg);
}

int __wrap_fcntl64(int fd, int command, ...)
{
	va_list args;
	long arg;

	va_start(args, command);
	arg = va_arg(args, long);
	va_end(args);
	return control(__real_fcntl64, fd, command, arg);
}

/* RTAI's FIFOs are emptied by it. */
off_t __wrap_lseek(int fd, off_t offset, int from)
{
	return rtai_file_is(fd) ? told(rtf_reset(fd)) : __real_lseek(fd, offset, from);
}

off64_t __wrap_lseek64(int fd, off64_t offset, int from)
{
	return rtai_file_is(fd) ? told(rtf_reset(fd)) : __real_lseek64(fd, offset, from);
}

static nfds_t count_fifos(const struct pollfd *fds, nfds_t count)
{
	nfds_t fifos = 0;

	for (nfds_t i = 0; fds && i < count; i++)
		fifos += rtai_file_is(fds[i].fd) != 0;
	return fifos;
}

/* Linux leaves out a descriptor below 0. */
static int look_at_files(struct pollfd *fds, nfds_t count)
{
	struct pollfd files[FD_SETSIZE];
	int ready;

	for (nfds_t i = 0; i < count; i++) {
		files[i] = fds[i];
		if (rtai_file_is(fds[i].fd))
			files[i].fd = -1;
	}
	ready = rtai_linux_poll(files, count, 0);
	for (nfds_t i = 0; i < count; i++)
		if (files[i].fd >= 0)
			fds[i].revents = files[i].revents;
	return ready;
}

/* FIFOs and other files: the others are looked at every few ms. ns: below 0: for ever. */
static int poll_both(struct pollfd *fds, nfds_t count, long long ns)
{
	const RTIME begin = rt_get_time_ns();

	for (;;) {
		const int files = look_at_files(fds, count);
		const long long left = ns < 0 ? LOOK_MS * MS_NS : begin + ns - rt_get_time_ns();
		long long wait = left < LOOK_MS * MS_NS ? left : LOOK_MS * MS_NS;
		int fifos;

		if (files < 0)
			return files;
		if (files || left < 0)
			wait = 0;
		fifos = rtai_file_poll(fds, count, wait);
		if (fifos < 0)
			return (int)told(fifos);
		if (files + fifos || (ns >= 0 && left <= 0))
			return files + fifos;
	}
}

static int poll_ns(struct pollfd *fds, nfds_t count, long long ns)
{
	const nfds_t fifos = count_fifos(fds, count);

	if (!fifos)
		return rtai_linux_poll(fds, count, ns);
	if (fifos == count)
		return (int)told(rtai_file_poll(fds, count, ns));
	return count <= FD_SETSIZE ? poll_both(fds, count, ns) : (int)told(-EINVAL);
}

int __wrap_poll(struct pollfd *fds, nfds_t count, int timeout)
{
	return poll_ns(fds, count, timeout < 0 ? -1 : timeout * MS_NS);
}

int __wrap___poll_chk(struct pollfd *fds, nfds_t count, int timeout, size_t room)
{
	return count <= room / sizeof(*fds) ? __wrap_poll(fds, count, timeout) : (int)told(-EINVAL);
}

static bool is_in(int fd, const fd_set *set)
{
	return set && FD_ISSET(fd, set);
}

/* The descriptors of the sets. Returns how many. */
static nfds_t list(int count, const fd_set *in, const fd_set *out, const fd_set *errors,
		   struct pollfd *fds)
{
	nfds_t listed = 0;

	for (int fd = 0; fd < count; fd++) {
		const short events =
			(short)((is_in(fd, in) ? POLLIN : 0) | (is_in(fd, out) ? POLLOUT : 0) |
				(is_in(fd, errors) ? POLLPRI : 0));

		if (events)
			fds[listed++] = (struct pollfd){.fd = fd, .events = events};
	}
	return listed;
}

/* Leave a descriptor in the set if it is ready. Returns 1 if it is. */
static int keep(int fd, fd_set *set, int ready)
{
	if (!is_in(fd, set))
		return 0;
	if (!ready)
		FD_CLR(fd, set);
	return ready != 0;
}

static int as_linux_says(fd_set *in, fd_set *out, fd_set *errors, const struct pollfd *fds,
			 nfds_t listed)
{
	int kept = 0;

	for (nfds_t i = 0; i < listed; i++) {
		const int events = fds[i].revents;

		kept += keep(fds[i].fd, in, events & (POLLIN | POLLHUP | POLLERR));
		kept += keep(fds[i].fd, out, events & (POLLOUT | POLLERR));
		kept += keep(fds[i].fd, errors, events & POLLPRI);
	}
	return kept;
}

/* As Linux does, the time that is left is told. */
static void tell_left(struct timeval *timeout, long long ns, RTIME begin)
{
	long long left = ns - (rt_get_time_ns() - begin);

	if (!timeout)
		return;
	if (left < 0)
		left = 0;
	timeout->tv_sec = (time_t)(left / (1000 * MS_NS));
	timeout->tv_usec = (suseconds_t)(left / 1000 % 1000000);
}

int __wrap_select(int count, fd_set *in, fd_set *out, fd_set *errors, struct timeval *timeout)
{
	const RTIME begin = rt_get_time_ns();
	struct pollfd fds[FD_SETSIZE];
	long long ns = -1;
	nfds_t listed;
	int ready;

	if (count < 0 || count > FD_SETSIZE ||
	    (timeout && (timeout->tv_sec < 0 || timeout->tv_usec < 0)))
		return (int)told(-EINVAL);
	if (timeout)
		ns = timeout->tv_sec * 1000 * MS_NS + timeout->tv_usec * 1000ll;
	listed = list(count, in, out, errors, fds);
	ready = poll_ns(fds, listed, ns);
	tell_left(timeout, ns, begin);
	for (nfds_t i = 0; i < listed && ready >= 0; i++)
		if (fds[i].revents & POLLNVAL)
			return (int)told(-EBADF);
	return ready < 0 ? ready : as_linux_says(in, out, errors, fds, listed);
}
