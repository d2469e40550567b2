/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPU leases: a real-time CPU belongs to one program of the machine, or to several programs that
 * share it. A lease is a lock (flock) on a file. It is held exclusively, or with `share` together
 * with others. Linux releases it when the program dies, whatever kills the program. The text of the
 * file names the holder for messages.
 *
 * Linux does not tell a program whether it is the only holder of a flock. So each program that
 * shares a CPU also holds a lock of the other kind (fcntl) on the same open file. Linux answers
 * questions about that kind.
 */
#define _GNU_SOURCE

#include "lease.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/error.h"
#include "program.h"
#include "state.h"

#define TRIES        20u
#define TRY_AGAIN_US 1000u

/* A bare core may also lease its SMT siblings. */
static int leases[4 * HAL_MAX_CPUS];
static unsigned lease_count;

/*
 * Another program may hold the lock for a moment only to test whether the lease is free, and may be
 * preempted just then. That is no reason to do without the lease.
 */
static bool lock(int fd, bool share)
{
	for (unsigned tries = 0; tries < TRIES; tries++) {
		if (tries)
			usleep(TRY_AGAIN_US);
		if (!flock(fd, (share ? LOCK_SH : LOCK_EX) | LOCK_NB))
			return true;
	}
	return false;
}

/* Without the mark, other programs do not learn that the CPU is shared, and they keep the priority
 * of a CPU of their own. That is poorer, but no reason to refuse. */
static void mark_shared(int fd)
{
	struct flock mark = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

	(void)fcntl(fd, F_OFD_SETLK, &mark);
}

static bool others_share(int fd)
{
	struct flock mark = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

	return !fcntl(fd, F_OFD_GETLK, &mark) && mark.l_type != F_UNLCK;
}

bool linux_leases_are_shared(void)
{
	for (unsigned i = 0; i < lease_count; i++)
		if (others_share(leases[i]))
			return true;
	return false;
}

static void file_name(char name[32], uint32_t linux_cpu)
{
	snprintf(name, 32, "cpu%u.lease", linux_cpu);
}

static bool could_lock(uint32_t linux_cpu, int how)
{
	char name[32];
	bool could;
	int fd;

	file_name(name, linux_cpu);
	fd = linux_state_open_existing(name);
	/* A file that only its owner may open counts as held by its owner. */
	if (fd < 0)
		return fd != -EACCES;
	could = !flock(fd, how | LOCK_NB);
	close(fd);
	return could;
}

bool linux_lease_is_free(uint32_t linux_cpu)
{
	return could_lock(linux_cpu, LOCK_SH);
}

bool linux_lease_is_unused(uint32_t linux_cpu)
{
	return could_lock(linux_cpu, LOCK_EX);
}

/* Any user may have written the text: no control character of it may reach a terminal. */
static void read_holder(int fd, char holder[64])
{
	const int length = (int)pread(fd, holder, 63, 0);

	holder[length > 0 ? length : 0] = 0;
	holder[strcspn(holder, "\n")] = 0;
	for (char *at = holder; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			*at = '?';
	if (!holder[0])
		snprintf(holder, 64, "another program");
}

/* The reason, with the remedy if there is one. */
static void say_why_not(int error, char holder[64])
{
	switch (error) {
	case EPERM:
		snprintf(holder, 64, "it is not a plain file: remove it");
		break;
	case EACCES:
		snprintf(holder, 64, "let root make /run/tactus with mode 1777");
		break;
	case EROFS:
		snprintf(holder, 64, "mount /run or /tmp writable");
		break;
	default:
		snprintf(holder, 64, "%s", strerror(error));
	}
}

int linux_lease_take(uint32_t linux_cpu, bool share, char holder[64])
{
	char name[32], text[64];
	int fd, length;

	file_name(name, linux_cpu);
	fd = linux_state_open(name);
	if (fd < 0) {
		say_why_not(-fd, holder);
		return fd == -EACCES || fd == -EPERM || fd == -EROFS ? -TACT_EPERM : -TACT_ENOMEM;
	}
	if (!lock(fd, share)) {
		read_holder(fd, holder);
		close(fd);
		return -TACT_EBUSY;
	}
	if (share)
		mark_shared(fd);
	length = snprintf(text, sizeof(text), "'%s' (pid %d)\n", linux_program.name, (int)getpid());
	/* Always of one size: truncating a file waits while its last page is being written to the
	 * disk. */
	if (length < (int)sizeof(text))
		memset(text + length, '\n', sizeof(text) - (size_t)length);
	/* Only the lock counts; without the text, messages are poorer. */
	(void)!pwrite(fd, text, sizeof(text), 0);
	leases[lease_count++] = fd;
	return 0;
}

/* Closing unlocks, because no other process has these open files: the child of a fork closes them
 * at once. */
void linux_leases_drop(void)
{
	while (lease_count)
		close(leases[--lease_count]);
}
