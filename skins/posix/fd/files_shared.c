/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Descriptors that others may reach: by another number, from another process, or in ways that are
 * not served. They are left to Linux for good, a member with its set and a set with its members.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/syscall.h>

#include "posix/fd/files.h"
#include "posix/libc/real.h"

static void share_alone(struct posix_file *file)
{
	if (atomic_load(&file->residency.settled))
		return;
	atomic_store(&file->residency.pinned, true);
	posix_residency_export(&file->residency);
	posix_file_each(file, share_alone);
	atomic_store(&file->residency.settled, true);
}

/* Linux reports it to its set even after this number is closed. */
static void share(struct posix_file *file)
{
	struct posix_file *set;

	share_alone(file);
	/* Read after the store: a thread that makes it a member meanwhile checks whether it is
	 * pinned. */
	set = atomic_load(&file->set);
	if (set)
		share_alone(set);
}

void posix_file_share(int fd)
{
	struct posix_file *file = posix_file_of(fd);

	if (file)
		share(file);
}

void posix_files_share_all(void)
{
	for (int fd = 0; fd <= atomic_load(&posix_files_highest); fd++)
		posix_file_share(fd);
}

void posix_files_pass_exec(void)
{
	for (int fd = 0; fd <= atomic_load(&posix_files_highest); fd++) {
		int flags =
			posix_file_of(fd) ? (int)posix_real.syscall(SYS_fcntl, fd, F_GETFD) : -1;

		if (flags >= 0 && !(flags & FD_CLOEXEC))
			posix_file_share(fd);
	}
}
