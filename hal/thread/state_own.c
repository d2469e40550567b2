/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Root's own files in a folder where all users may make files. Something else that has such a name,
 * such as another user's non-empty folder, is renamed and not removed. In the same step root's file
 * gets the name; otherwise a fast user could take it again and again. No other user can take away a
 * file of root, because the folder is sticky. But between the check of another user's file and that
 * step the file may go, and root's own may come. So each program that makes or renames files here
 * holds a lock that other users cannot even open. A file of root that has been made therefore
 * stays.
 *
 * This file runs in the guardian, a fork of a program with threads: no heap, no stdio streams.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "high_fd.h"
#include "state.h"

#define LOCK  "/run/tactus.lock" /* in a folder that belongs to root */
#define TRIES 100u               /* another user would have to be faster each time, in turns */

static bool is_own(const struct stat *status)
{
	return S_ISREG(status->st_mode) && status->st_nlink == 1 && status->st_uid == geteuid() &&
	       !(status->st_mode & (S_IWGRP | S_IWOTH));
}

/* -1: no lock, because this user may not write to /run. */
static int lock_makers(void)
{
	int fd = open(LOCK, O_RDWR | O_CREAT | STATE_WARILY, 0600);
	struct stat status;

	if (fd < 0)
		return -1;
	if (fstat(fd, &status) || !is_own(&status)) {
		close(fd);
		return -1;
	}
	/* The program's handlers may interrupt the wait. */
	while (flock(fd, LOCK_EX) && errno == EINTR)
		;
	return fd;
}

/* -EPERM: something else has the name. The file is checked before it is opened, because to open
 * something else may have any effect. */
static int open_own(const char *path)
{
	struct stat status;
	int fd;

	if (lstat(path, &status))
		return -errno;
	if (!is_own(&status))
		return -EPERM;
	fd = open(path, O_RDWR | O_APPEND | STATE_WARILY);
	return fd >= 0 ? fd : -errno;
}

/* A non-empty folder stays under its new name; that concerns only its owner. */
static void remove_other(const char *path)
{
	if (unlink(path))
		(void)rmdir(path);
}

/* -EEXIST or -ENOENT: something came or went just now. */
static int make_own(const char *path)
{
	char temporary[STATE_PATH_BYTES];
	int fd = linux_state_make_temporary(path, temporary, O_RDWR | O_APPEND, 0600);
	struct stat status;
	int error;

	if (fd < 0)
		return fd;
	if (!renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE))
		return fd;
	error = -errno;
	/* Without a common lock, another start by root may have made the file before. */
	if (error == -EEXIST && !lstat(path, &status) && !is_own(&status)) {
		if (!renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_EXCHANGE)) {
			remove_other(temporary);
			return fd;
		}
		error = -errno;
	}
	/* On such a file system a fast user can take the name again. */
	if (linux_state_cannot_rename(error)) {
		remove_other(path);
		if (!link(temporary, path)) {
			unlink(temporary);
			return fd;
		}
		error = -errno;
	}
	unlink(temporary);
	close(fd);
	return error;
}

static int find_or_make(const char *path)
{
	int fd = -EPERM;

	for (unsigned tries = 0; tries < TRIES; tries++) {
		fd = open_own(path);
		if (fd != -EPERM && fd != -ENOENT)
			break;
		fd = make_own(path);
		if (fd != -EEXIST && fd != -ENOENT)
			break;
	}
	return fd;
}

int linux_state_open_own(const char *file, bool to_make)
{
	char path[STATE_PATH_BYTES];
	int fd = linux_state_path(path, sizeof(path), file), lock;

	if (fd)
		return fd;
	fd = open_own(path);
	if (to_make && (fd == -EPERM || fd == -ENOENT)) {
		lock = lock_makers();
		fd = find_or_make(path);
		/* Unlock first: a child that another thread forks meanwhile has the same open
		 * file. */
		if (lock >= 0) {
			(void)flock(lock, LOCK_UN);
			close(lock);
		}
	}
	/* A file of another user does not count. */
	if (fd == -EPERM && !to_make)
		fd = -ENOENT;
	return fd >= 0 ? linux_high_fd(fd) : fd;
}
