/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * CPU leases: one program a real-time CPU, machine-wide, or several programs that share it. A lease
 * is a lock (flock) on a file, held exclusively or, with share, together; Linux lets go of it when
 * the program dies, whatever kills it. The file's text names the holder for the message.
 *
 * Nobody can ask Linux whether he holds a flock alone. So each program that shares a CPU also holds
 * a lock of the other kind (fcntl) on the same open file, and that kind can be asked about.
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

/* A core may have its SMT siblings with it. */
static int leases[4 * HAL_MAX_CPUS];
static unsigned lease_count;

/*
 * Who tries for a moment whether a lease is free is no reason to do without it, nor is one that is
 * kept from running just then.
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

/* Without the mark others do not learn that the CPU is shared, and they keep the priority of a CPU
 * of their own: poorer, and no reason to refuse. */
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
	fd = linux_state_look(name);
	/* One that only its owner may open is the owner's. */
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

/* Any user may have written it: nothing in it is to reach a terminal but what can be read. */
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

/* With what there is to be done about it, if something is. */
static void say_why_not(int error, char holder[64])
{
	switch (error) {
	case EPERM:
		snprintf(holder, 64, "it is no plain file, remove it");
		break;
	case EACCES:
		snprintf(holder, 64, "let root make /run/tactus with mode 1777");
		break;
	case EROFS:
		snprintf(holder, 64, "mount /run or /tmp so that it can be written");
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
	/* Of one size: cutting a file short waits while the disk has its last page. */
	if (length < (int)sizeof(text))
		memset(text + length, '\n', sizeof(text) - (size_t)length);
	/* The lock is what counts; without the text the message is poorer. */
	(void)!pwrite(fd, text, sizeof(text), 0);
	leases[lease_count++] = fd;
	return 0;
}

/* Closing unlocks: no other process has these open files, a fork's child closes them at once. */
void linux_leases_drop(void)
{
	while (lease_count)
		close(leases[--lease_count]);
}
