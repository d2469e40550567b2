/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The folder of leases, and of what must be restored. All users may make files in it, and programs
 * of root use it. So each file is checked before it is used: a link leads to a wrong file, a FIFO
 * blocks, and a file of another user contains what that user likes.
 */
#define _GNU_SOURCE

#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "high_fd.h"

#define FOLDER   "/run/tactus"
#define ALL_MAKE 01777
#define TRIES    100u /* a name may come and go meanwhile, but not forever */

/* Make the folder if it is missing. A folder in which another user may rename files is no place for
 * leases. */
static bool is_own_folder(const char *folder)
{
	struct stat status;

	(void)mkdir(folder, 0700);
	return !lstat(folder, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       !access(folder, W_OK | X_OK);
}

/* mkdir() applies the umask. If the program that made the folder was killed before it corrected the
 * mode, the next start corrects it. A folder that an administrator has given to a group keeps its
 * mode. */
static void make_common_folder(void)
{
	struct stat status;

	(void)mkdir(FOLDER, ALL_MAKE);
	if (!lstat(FOLDER, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	    status.st_gid == getegid() && (status.st_mode & 07000) == S_ISVTX &&
	    (status.st_mode & 07777) != ALL_MAKE)
		(void)chmod(FOLDER, ALL_MAKE);
}

static bool is_read_only(const char *folder)
{
	return access(folder, W_OK) && errno == EROFS;
}

/*
 * /run/tactus is for all users once root has made it. Without it, each user has a folder and a view
 * of its own. No environment variable is used, because the programs of one user begin with
 * different environments, of a login and of cron. Source: File Hierarchy Standard 3.0, 3.15.
 */
int linux_state_path(char *path, size_t capacity, const char *file)
{
	const unsigned user = (unsigned)geteuid();
	char folder[64];

	snprintf(folder, sizeof(folder), FOLDER);
	make_common_folder();
	if (access(folder, W_OK)) {
		const bool read_only = is_read_only("/run");

		snprintf(folder, sizeof(folder), "/run/user/%u/tactus", user);
		if (!is_own_folder(folder)) {
			snprintf(folder, sizeof(folder), "/tmp/tactus-%u", user);
			if (!is_own_folder(folder))
				return read_only && is_read_only("/tmp") ? -EROFS : -EACCES;
		}
	}
	return snprintf(path, capacity, "%s/%s", folder, file) < (int)capacity ? 0 : -ENAMETOOLONG;
}

/* If a file has a second name, it may be a file elsewhere, which its owner never meant for this. */
static bool is_plain(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_nlink == 1;
}

/* The file, if it is plain: a descriptor or -errno. */
static int open_plain(const char *path, int flags)
{
	struct stat status;
	int fd = open(path, flags | STATE_WARILY);

	if (fd < 0)
		return errno == ELOOP || errno == ENXIO ? -EPERM : -errno;
	if (!fstat(fd, &status) && is_plain(&status))
		return fd;
	close(fd);
	return -EPERM;
}

/* Exclusively: a file that another user has put there meanwhile must not be taken for the new
 * one. */
static int create(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_CREAT | O_EXCL | STATE_WARILY, mode);

	if (fd < 0)
		return -errno;
	fchmod(fd, mode);
	return fd;
}

/*
 * The temporary name cannot be foreseen. The file gets its own name when it is complete: a program
 * that is killed before leaves nothing that disturbs others.
 */
int linux_state_make_temporary(const char *path, char temporary[STATE_PATH_BYTES], int flags,
			       mode_t mode)
{
	uint64_t number = 0;

	(void)!getrandom(&number, sizeof(number), GRND_NONBLOCK);
	if (snprintf(temporary, STATE_PATH_BYTES, "%s.%016" PRIx64, path, number) >=
	    STATE_PATH_BYTES)
		return -ENAMETOOLONG;
	return create(temporary, flags, mode);
}

/* Some file systems, of networks and of user space, support no flags of a rename. Source:
 * rename(2). */
bool linux_state_cannot_rename(int error)
{
	return error == -EINVAL || error == -ENOSYS;
}

/* A new file of that name, unless there is one: a descriptor or -errno. */
static int make(const char *path, mode_t mode)
{
	char temporary[STATE_PATH_BYTES];
	int error, fd = linux_state_make_temporary(path, temporary, O_RDWR, mode);

	if (fd < 0 || !renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE))
		return fd;
	error = -errno;
	unlink(temporary);
	close(fd);
	return linux_state_cannot_rename(error) ? create(path, O_RDWR, mode) : error;
}

int linux_state_open_existing(const char *file)
{
	char path[STATE_PATH_BYTES];

	/* Without a folder there is no file. */
	return linux_state_path(path, sizeof(path), file) ? -ENOENT : open_plain(path, O_RDONLY);
}

int linux_state_open(const char *file)
{
	char path[STATE_PATH_BYTES];
	int fd = linux_state_path(path, sizeof(path), file);

	if (fd)
		return fd;
	for (unsigned tries = 0; tries < TRIES; tries++) {
		/* First without O_CREAT: in a sticky folder root may not create over another
		 * user's file. */
		fd = open_plain(path, O_RDWR);
		if (fd == -EACCES)
			fd = open_plain(path, O_RDONLY);
		if (fd != -ENOENT)
			break;
		fd = make(path, 0666);
		if (fd != -EEXIST)
			break;
	}
	return fd >= 0 ? linux_high_fd(fd) : fd;
}
