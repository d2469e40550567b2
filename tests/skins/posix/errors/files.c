/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading and writing, to one place and to several. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

#include "errors.h"
#include "reset.h"

/* As compilers call it when they know the size of the place. */
ssize_t __read_chk(int fd, void *place, size_t bytes, size_t room);

static char text[4096];

static struct iovec *part(void *place, size_t bytes)
{
	static __thread struct iovec one;

	one = (struct iovec){place, bytes};
	return &one;
}

#define READS(code, fd, place, bytes)                                         \
	do {                                                                  \
		FAILS_CODE(#code, code, read(fd, place, bytes));              \
		FAILS_CODE(#code, code, __read_chk(fd, place, bytes, bytes)); \
		FAILS_CODE(#code, code, readv(fd, part(place, bytes), 1));    \
	} while (0)
#define WRITES(code, fd, place, bytes)                                      \
	do {                                                                \
		FAILS_CODE(#code, code, write(fd, place, bytes));           \
		FAILS_CODE(#code, code, writev(fd, part(place, bytes), 1)); \
	} while (0)

/* Each of them once, because it is reported once. */
static void of_peers(void)
{
	int fds[5], unconnected = socket(AF_INET, SOCK_STREAM, 0);

	for (int i = 0; i < 5; i++)
		fds[i] = reset();
	FAILS(ECONNRESET, read(fds[0], text, 1));
	FAILS(ECONNRESET, __read_chk(fds[1], text, 1, 1));
	FAILS(ECONNRESET, readv(fds[2], part(text, 1), 1));
	FAILS(ECONNRESET, write(fds[3], text, 1));
	FAILS(ECONNRESET, writev(fds[4], part(text, 1), 1));
	for (int i = 0; i < 5; i++)
		close(fds[i]);
	READS(ENOTCONN, unconnected, text, 1);
	close(unconnected);
	unconnected = socket(AF_INET, SOCK_DGRAM, 0);
	WRITES(EDESTADDRREQ, unconnected, text, 1);
	close(unconnected);
}

static void of_pipes(void)
{
	int ends[2];

	NEED(!pipe(ends));
	INTERRUPTED(FAILS(EINTR, read(ends[0], text, 1)));
	INTERRUPTED(FAILS(EINTR, __read_chk(ends[0], text, 1, 1)));
	INTERRUPTED(FAILS(EINTR, readv(ends[0], part(text, 1), 1)));
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	READS(EAGAIN, ends[0], text, 1);
	READS(EBADF, ends[1], text, 1);
	WRITES(EBADF, ends[0], text, 1);
	WRITES(EFAULT, ends[1], nowhere(), 1);
	while (write(ends[1], text, sizeof(text)) > 0)
		;
	WRITES(EAGAIN, ends[1], text, 1);
	READS(EFAULT, ends[0], nowhere(), 1);
	fcntl(ends[1], F_SETFL, 0);
	INTERRUPTED(FAILS(EINTR, write(ends[1], text, sizeof(text))));
	INTERRUPTED(FAILS(EINTR, writev(ends[1], part(text, sizeof(text)), 1)));
	close(ends[0]);
	WRITES(EPIPE, ends[1], text, 1);
	close(ends[1]);
	READS(EBADF, ends[0], text, 1);
	WRITES(EBADF, ends[1], text, 1);
}

/* Also of those that Tactus serves. */
static void of_counters(void)
{
	const int event = eventfd(0, EFD_NONBLOCK), timer = timerfd_create(CLOCK_MONOTONIC, 0);
	struct itimerspec far = {.it_value = {FAR_S, 0}};
	volatile int too_many = -1; /* the compiler would notice */

	NEED(!timerfd_settime(timer, 0, &far, NULL));
	INTERRUPTED(FAILS(EINTR, read(timer, text, 8)));
	INTERRUPTED(FAILS(EINTR, __read_chk(timer, text, 8, 8)));
	INTERRUPTED(FAILS(EINTR, readv(timer, part(text, 8), 1)));
	READS(EINVAL, timer, text, 4);
	WRITES(EINVAL, timer, text, 8);
	READS(EAGAIN, event, text, 8);
	READS(EINVAL, event, text, 4);
	WRITES(EINVAL, event, text, 4);
	WRITES(EFAULT, event, nowhere(), 8);
	FAILS(EINVAL, readv(event, part(text, 8), too_many));
	FAILS(EINVAL, writev(event, part(text, 8), too_many));
	FAILS(EFAULT, readv(event, nowhere(), 1));
	FAILS(EFAULT, writev(event, nowhere(), 1));
	close(timer);
	close(event);
}

static void of_memory(void)
{
	const int own = open("/proc/self/mem", O_RDWR), folder = open("/", O_RDONLY);
	const int full = open("/dev/full", O_WRONLY), sealed = memfd_create("x", MFD_ALLOW_SEALING);
	const int large = memfd_create("y", 0);

	NEED(own >= 0);
	READS(EIO, own, text, 1);
	WRITES(EIO, own, text, 1);
	READS(EISDIR, folder, text, 1);
	WRITES(ENOSPC, full, text, 1);
	NEED(!fcntl(sealed, F_ADD_SEALS, F_SEAL_WRITE));
	WRITES(EPERM, sealed, text, 1);
	WITHOUT(RLIMIT_FSIZE, WRITES(EFBIG, large, text, 1));
	close(own);
	close(folder);
	close(full);
	close(sealed);
	close(large);
}

static void cases(void)
{
	of_peers();
	of_pipes();
	of_counters();
	of_memory();
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	return from_every_thread(cases);
}
