/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Operations on descriptors, of whatever kind. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "errors.h"

#define NO_FD  1000 /* no process has so many */
#define NO_PID (INT_MAX - 1)

int fcntl64(int fd, int command, ...);

static void second_numbers(int fd)
{
	FAILS(EBADF, dup(NO_FD));
	FAILS(EBADF, dup2(NO_FD, fd));
	FAILS(EBADF, dup2(fd, -1));
	FAILS(EBADF, dup2(fd, INT_MAX));
	FAILS(EBADF, dup3(NO_FD, fd, 0));
	FAILS(EBADF, dup3(fd, INT_MAX, 0));
	FAILS(EINVAL, dup3(fd, fd, 0));
	FAILS(EINVAL, dup3(fd, fd + 1, 77));
	WITHOUT(RLIMIT_NOFILE, FAILS(EMFILE, dup(fd)));
	FAILS(EBADF, close(NO_FD));
	FAILS(EBADF, close(-1));
	FAILS(EINVAL, close_range(5, 4, 0));
	FAILS(EINVAL, close_range(NO_FD, NO_FD, 0x4000));
}

/* By both names; programs get one or the other, depending on their build. */
#define CONTROLS(code, ...)                                                        \
	do {                                                                       \
		errors_tell("fcntl", #code, code,                                  \
			    (errno = 0, errors_of(old_fcntl(__VA_ARGS__) == -1))); \
		FAILS_CODE(#code, code, fcntl64(__VA_ARGS__));                     \
	} while (0)

int old_fcntl(int fd, int command, ...) __asm__("fcntl");

/* Two descriptions of one file, as two programs have them. */
static void locks(void)
{
	struct flock all = {.l_type = F_WRLCK}, too_far = {.l_type = F_WRLCK};
	char path[] = "/tmp/tactus-errors-XXXXXX";
	int one = mkstemp(path), other = open(path, O_RDWR);

	too_far.l_start = LLONG_MAX;
	too_far.l_len = 2;
	CONTROLS(EOVERFLOW, one, F_SETLK, &too_far);
	CONTROLS(EFAULT, one, F_SETLK, nowhere());
	NEED(!fcntl(one, F_OFD_SETLK, &all));
	CONTROLS(EAGAIN, other, F_OFD_SETLK, &all);
	INTERRUPTED(FAILS_AS("fcntl", EINTR, old_fcntl(other, F_OFD_SETLKW, &all)));
	INTERRUPTED(FAILS(EINTR, fcntl64(other, F_OFD_SETLKW, &all)));
	all.l_pid = 1;
	CONTROLS(EINVAL, one, F_OFD_SETLK, &all);
	CONTROLS(ENOTDIR, one, F_NOTIFY, DN_CREATE);
	close(one);
	close(other);
	unlink(path);
}

static void waits_for_lock(int fd)
{
	struct flock first = {.l_type = F_WRLCK, .l_len = 1};

	(void)fcntl(fd, F_SETLKW, &first);
	_exit(0);
}

/* Is a process in the line for a lock, by Linux's list? */
static bool somebody_waits(pid_t pid)
{
	char line[256], wanted[32];
	FILE *list = fopen("/proc/locks", "r");
	bool found = false;

	snprintf(wanted, sizeof(wanted), " %d ", (int)pid);
	while (list && fgets(line, sizeof(line), list))
		found = found || (strstr(line, "->") && strstr(line, wanted));
	if (list)
		fclose(list);
	return found;
}

/* A child has the second byte and waits for the first, which the caller has. */
static void circle(void)
{
	struct flock first = {.l_type = F_WRLCK, .l_len = 1};
	struct flock second = {.l_type = F_WRLCK, .l_start = 1, .l_len = 1};
	char path[] = "/tmp/tactus-errors-XXXXXX";
	int fd = mkstemp(path), looks = 0;
	pid_t child;

	NEED(!fcntl(fd, F_SETLK, &first));
	child = fork();
	if (!child) {
		(void)fcntl(fd, F_SETLK, &second);
		waits_for_lock(fd);
	}
	while (!somebody_waits(child) && looks++ < 5000)
		usleep(1000);
	CONTROLS(EDEADLK, fd, F_SETLKW, &second);
	first.l_type = F_UNLCK;
	NEED(!fcntl(fd, F_SETLK, &first));
	NEED(waitpid(child, NULL, 0) == child);
	close(fd);
	unlink(path);
}

static void controls(int fd)
{
	int ends[2], sealed = memfd_create("x", 0);

	CONTROLS(EBADF, NO_FD, F_GETFD);
	CONTROLS(EBADF, NO_FD, F_SETFL, O_NONBLOCK);
	CONTROLS(EINVAL, fd, 7777);
	CONTROLS(EINVAL, fd, F_DUPFD, INT_MAX);
	CONTROLS(EINVAL, fd, F_DUPFD_CLOEXEC, -1);
	WITHOUT(RLIMIT_NOFILE, CONTROLS(EINVAL, fd, F_DUPFD, 0));
	{
		/* Room for a number, and none left. */
		const rlim_t former = limit(RLIMIT_NOFILE, 3);

		CONTROLS(EMFILE, fd, F_DUPFD, 0);
		(void)limit(RLIMIT_NOFILE, former);
	}
	CONTROLS(ESRCH, fd, F_SETOWN, NO_PID);
	CONTROLS(EPERM, sealed, F_ADD_SEALS, F_SEAL_WRITE);
	NEED(!pipe(ends));
	NEED(fcntl(ends[1], F_SETPIPE_SZ, 8192) == 8192);
	NEED(write(ends[1], ends, 8) == 8);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	for (char page[4096] = ""; write(ends[1], page, sizeof(page)) > 0;)
		;
	CONTROLS(EBUSY, ends[1], F_SETPIPE_SZ, 4096);
	close(ends[0]);
	close(ends[1]);
	close(sealed);
}

static void devices(int fd)
{
	const int terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	int room = 0;

	FAILS(EBADF, ioctl(NO_FD, FIONREAD, &room));
	FAILS(ENOTTY, ioctl(fd, TCGETS, &room));
	FAILS(EFAULT, ioctl(terminal, TCGETS, nowhere()));
	FAILS(EINVAL, ioctl(terminal, TCFLSH, 77));
	close(terminal);
}

static void streams(int fd)
{
	const int reads = open("/dev/null", O_RDONLY);

	IS_NULL(EBADF, fdopen(NO_FD, "r"));
	IS_NULL(EINVAL, fdopen(fd, "?"));
	IS_NULL(EINVAL, fdopen(reads, "w"));
	WITHOUT_MEMORY(IS_NULL(ENOMEM, fdopen(fd, "r")));
	close(reads);
}

static void cases(void)
{
	const int fd = eventfd(0, 0);

	second_numbers(fd);
	locks();
	circle();
	controls(fd);
	devices(fd);
	streams(fd);
	close(fd);
}

int main(void)
{
	return from_every_thread(cases);
}
