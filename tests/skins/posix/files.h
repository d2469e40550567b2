/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of timerfd and eventfd share. */
#ifndef POSIX_TEST_FILES_H
#define POSIX_TEST_FILES_H

#include "check.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MS 1000000u

static inline int set_in(int fd, uint64_t ns, uint64_t interval_ns)
{
	struct itimerspec times = {{0, (long)interval_ns}, {0, (long)ns}};

	return timerfd_settime(fd, 0, &times, NULL);
}

/* The value that was read, or minus the error number. */
static inline long taken(int fd)
{
	uint64_t value = 0;

	return read(fd, &value, sizeof(value)) == sizeof(value) ? (long)value : -errno;
}

static inline long given(int fd, uint64_t value)
{
	return write(fd, &value, sizeof(value)) == sizeof(value) ? 0 : -errno;
}

static inline int is_ready(int fd, int timeout_ms)
{
	struct pollfd one = {.fd = fd, .events = POLLIN};
	int result = poll(&one, 1, timeout_ms);

	return result > 0 ? one.revents == POLLIN : result;
}

#endif
