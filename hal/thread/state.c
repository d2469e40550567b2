/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The folder of leases and of what is to be restored. All users may make files in it, and a program
 * of root's comes by: so whatever has a name there is looked at before it is used. A link leads to
 * a file that is not meant, a FIFO is waited for, and what another user owns says what that one
 * likes.
 */
#define _GNU_SOURCE
#include "state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "thread.h"

#define PATH_BYTES 300u
#define TRIES      100u /* a name may come and go meanwhile, but not for good */
#define WARILY     (O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)

/* Made where it is not there. What another user may rename things in is no place for leases. */
static bool is_own_folder(const char *folder)
{
	struct stat status;

	(void)mkdir(folder, 0700);
	return !lstat(folder, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       !access(folder, W_OK | X_OK);
}

/*
 * /run/tactus is for all users once root has made it; without it a user has only his own view. No
 * variable has a say: programs of one user begin with different environments, a login's and cron's.
 * Source: File Hierarchy Standard 3.0, 3.15.
 */
int thread_state_path(char *path, size_t capacity, const char *file)
{
	const unsigned user = (unsigned)geteuid();
	char folder[64];

	snprintf(folder, sizeof(folder), "/run/tactus");
	if (!mkdir(folder, 01777))
		chmod(folder, 01777);
	if (access(folder, W_OK)) {
		snprintf(folder, sizeof(folder), "/run/user/%u/tactus", user);
		if (!is_own_folder(folder)) {
			snprintf(folder, sizeof(folder), "/tmp/tactus-%u", user);
			if (!is_own_folder(folder))
				return -EACCES;
		}
	}
	return snprintf(path, capacity, "%s/%s", folder, file) < (int)capacity ? 0 : -ENAMETOOLONG;
}

/* A second name may be that of a file elsewhere, which its owner never meant for this. */
static bool is_plain(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_nlink == 1;
}

static bool is_own(const struct stat *status)
{
	return is_plain(status) && status->st_uid == geteuid() &&
	       !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* The file, if it is such a one: a descriptor or -errno. */
static int open_if(const char *path, int flags, bool (*is_right)(const struct stat *status))
{
	struct stat status;
	int fd = open(path, flags | WARILY);

	if (fd < 0)
		return errno == ELOOP || errno == ENXIO ? -EPERM : -errno;
	if (!fstat(fd, &status) && is_right(&status))
		return fd;
	close(fd);
	return -EPERM;
}

/* Exclusively: what another user has put there meanwhile is not to be taken for what was made. */
static int make(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_CREAT | O_EXCL | WARILY, mode);

	return fd >= 0 ? fd : -errno;
}

int thread_state_look(const char *file)
{
	char path[PATH_BYTES];
	int error = thread_state_path(path, sizeof(path), file);

	return error ? error : open_if(path, O_RDONLY, is_plain);
}

int thread_state_open(const char *file)
{
	char path[PATH_BYTES];
	int fd = thread_state_path(path, sizeof(path), file);

	if (fd)
		return fd;
	for (unsigned tries = 0; tries < TRIES; tries++) {
		/* First without O_CREAT: in a sticky folder root may not create over another
		 * user's file. */
		fd = open_if(path, O_RDWR, is_plain);
		if (fd != -ENOENT)
			break;
		fd = make(path, O_RDWR, 0666);
		if (fd >= 0)
			fchmod(fd, 0666);
		if (fd != -EEXIST)
			break;
	}
	return fd >= 0 ? thread_aside(fd) : fd;
}

/* Nobody else removes the user's own file: the folder is sticky, or the user's. */
static int remove_foreign(const char *path)
{
	struct stat status;

	if (lstat(path, &status))
		return errno == ENOENT ? 0 : -errno;
	if (is_own(&status))
		return 0;
	return unlink(path) && errno != ENOENT ? -EPERM : 0;
}

int thread_state_open_own(const char *file, bool to_make)
{
	char path[PATH_BYTES];
	int fd = thread_state_path(path, sizeof(path), file);

	if (fd)
		return fd;
	for (unsigned tries = 0; tries < TRIES; tries++) {
		fd = remove_foreign(path);
		if (fd)
			return fd;
		fd = open_if(path, O_RDWR | O_APPEND, is_own);
		if (fd == -EPERM)
			continue;
		if (fd != -ENOENT || !to_make)
			break;
		fd = make(path, O_RDWR | O_APPEND, 0600);
		if (fd != -EEXIST)
			break;
	}
	return fd >= 0 ? thread_aside(fd) : fd;
}

bool thread_state_is(const char *file, int fd)
{
	struct stat named, opened;
	char path[PATH_BYTES];

	return !thread_state_path(path, sizeof(path), file) && !lstat(path, &named) &&
	       !fstat(fd, &opened) && named.st_dev == opened.st_dev &&
	       named.st_ino == opened.st_ino;
}
