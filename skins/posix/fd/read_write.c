/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * read() and write() of descriptors that may be resident, and of all others. Source: POSIX.1-2017,
 * read(), write(); timerfd_create(2), eventfd(2).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "posix/calls/call.h"
#include "posix/calls/safe_copy.h"
#include "posix/calls/tried.h"
#include "posix/fd/fd_wait.h"
#include "posix/fd/files.h"
#include "posix/libc/real.h"
#include "posix/state/stay.h"

/*
 * As posix_fd_await(). A function of its own, so that only a call that waits needs this much stack.
 */
static __attribute__((noinline)) int await(const struct posix_file *file, tact_timeout_t timeout)
{
	struct posix_fd_asked asked;

	asked.files[0] = (struct pollfd){.fd = posix_file_fd(file), .events = POLLIN};
	asked.count = 1;
	asked.changes = NULL;
	return posix_fd_await(&asked, timeout);
}

/* Returns 8, -1 or POSIX_IN_LINUX. */
static ssize_t read_resident(struct posix_file *file, uint64_t *value)
{
	const bool waits = !atomic_load(&file->nonblocking);
	const int former = errno;
	tact_timeout_t timeout = waits ? TACT_FOREVER : tact_at((tact_time_t){0});

	pthread_testcancel();
	for (;;) {
		/* The number may now belong to another file. */
		const struct posix_file_kind *kind = posix_file_kind_of(file);
		int result;

		/* A value that is there is taken without a look at the clock or at watches. */
		if (kind && kind->take && kind->take(file, value))
			return sizeof(*value);
		result = await(file, timeout);
		if (!result)
			return posix_fail(EAGAIN);
		if (result == POSIX_IN_LINUX)
			return result;
		if (result < 0 && (errno != EINTR || !posix_signals_restart()))
			return -1;
		errno = former;
	}
}

ssize_t read(int fd, void *buffer, size_t bytes)
{
	const long arguments[6] = {fd, (long)buffer, (long)bytes};
	struct posix_file *file = posix_file_to_notify(fd);
	const struct posix_file_kind *kind;
	bool is_begun = false;
	ssize_t result;

	if (__builtin_expect(!file, 1))
		return posix_real.read(fd, buffer, bytes);
	if (posix_file_is(file, &posix_timerfd))
		posix_stay_break();
	if (bytes >= sizeof(uint64_t) && !posix_is_beyond(buffer) && posix_call_is_tasks() &&
	    (kind = posix_file_kind_of(file)) && kind->take) {
		uint64_t value;

		result = read_resident(file, &value);
		if (result > 0 && !posix_safe_copy(buffer, &value, sizeof(value)))
			return posix_fail(EFAULT);
		if (result != POSIX_IN_LINUX)
			return result;
		is_begun = true;
	}
	posix_file_enter(file);
	pthread_cleanup_push(posix_file_left, file);
	if (is_begun && posix_call_tried_in_call(SYS_read, arguments) != POSIX_CALL_GOES_ON)
		result = posix_fail(EINTR);
	else
		result = posix_real.read(fd, buffer, bytes);
	pthread_cleanup_pop(1);
	return result;
}

ssize_t __read_chk(int fd, void *buffer, size_t bytes, size_t room)
{
	return bytes <= room ? read(fd, buffer, bytes)
			     : posix_real.__read_chk(fd, buffer, bytes, room);
}

ssize_t write(int fd, const void *buffer, size_t bytes)
{
	struct posix_file *file = posix_file_to_notify(fd);
	ssize_t result;
	uint64_t value;

	/* If the object is imported at the same time, the import fetches what is written in Linux:
	 * eventfd.c. */
	if (__builtin_expect(!file, 1) || !posix_file_is_resident(file))
		return posix_real.write(fd, buffer, bytes);
	if (bytes == sizeof(value) && posix_file_is(file, &posix_eventfd) &&
	    posix_safe_copy(&value, buffer, sizeof(value)) && posix_eventfd_add(file, value))
		return sizeof(value);
	posix_file_enter(file);
	pthread_cleanup_push(posix_file_left, file);
	result = posix_real.write(fd, buffer, bytes);
	pthread_cleanup_pop(1);
	return result;
}
