/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Memory with a name as a file in /dev/shm, for the programs of a user, or of a session of that
 * user. Each program that has it holds a lock of Linux for reading, which goes with the program
 * however it ends. Who gets the lock for writing is alone: a file that killed programs have left
 * begins anew, and the last program that gives the memory up removes the file.
 */
#define _GNU_SOURCE
#include "shared_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 128
/* How often another program may remove the file between two steps. */
#define TRIES 1000

/* A session of a group is one of each of its users here. */
static void path_of(const char *name, char *path)
{
	const char *label = getenv("TACTUS_SESSION");
	const int length = label ? (int)strcspn(label, "/") : 0;

	(void)snprintf(path, PATH_BYTES, "/dev/shm/tactus-rtai-%u%s%.*s-%s", geteuid(),
		       length ? "-" : "", length < 32 ? length : 32, label ? label : "", name);
}

/* Locks of the open file, which change their type in one step. */
static int lock(int file, int command, short type)
{
	struct flock wanted = {.l_type = type, .l_whence = SEEK_SET};
	int result;

	do
		result = fcntl(file, command, &wanted);
	while (result && errno == EINTR);
	return result;
}

/* Does the path still lead to this file? */
static bool is_there(const char *path, int file)
{
	struct stat named;
	struct stat open;

	return !stat(path, &named) && !fstat(file, &open) && named.st_ino == open.st_ino &&
	       named.st_dev == open.st_dev;
}

/* Made by this user, for this user alone: anybody may make a file of this name. */
static bool is_own(int file)
{
	struct stat info;

	return !fstat(file, &info) && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
	       !(info.st_mode & 077);
}

/* The caller is alone with the file. */
static int begin_anew(const char *path, int file, int bytes)
{
	if (!bytes) {
		(void)unlink(path);
		return -ENOENT;
	}
	/* Without room a task would end at its first use of a page. */
	if (ftruncate(file, 0) || posix_fallocate(file, 0, bytes)) {
		(void)unlink(path);
		return -ENOMEM;
	}
	return lock(file, F_OFD_SETLK, F_RDLCK) ? -ENOMEM : 0;
}

static int size_of(int file)
{
	struct stat info;

	return fstat(file, &info) ? 0 : (int)info.st_size;
}

/* Returns 0, -ENOENT, -ENOMEM, -EAGAIN: the file was removed meanwhile. */
static int join(const char *path, int file, int bytes)
{
	if (!lock(file, F_OFD_SETLK, F_WRLCK))
		return is_there(path, file) ? begin_anew(path, file, bytes) : -EAGAIN;
	if (lock(file, F_OFD_SETLKW, F_RDLCK))
		return -ENOMEM;
	return is_there(path, file) && size_of(file) ? 0 : -EAGAIN;
}

int rtai_shared_open(const char *name, int *bytes)
{
	char path[PATH_BYTES];
	int error = -EAGAIN;

	path_of(name, path);
	for (int tries = 0; error == -EAGAIN && tries < TRIES; tries++) {
		const int file =
			open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (*bytes ? O_CREAT : 0), 0600);

		if (file < 0)
			return errno == ENOENT ? -ENOENT : -ENOMEM;
		if (!is_own(file)) {
			(void)close(file);
			return -ENOMEM;
		}
		error = join(path, file, *bytes);
		if (!error) {
			*bytes = size_of(file);
			return file;
		}
		(void)close(file);
	}
	return error == -ENOENT ? -ENOENT : -ENOMEM;
}

void rtai_shared_close(const char *name, int file)
{
	char path[PATH_BYTES];

	path_of(name, path);
	/* Of two that close at a time, each would keep the other one from removing the file. */
	(void)lock(file, F_OFD_SETLK, F_UNLCK);
	if (!lock(file, F_OFD_SETLK, F_WRLCK) && is_there(path, file))
		(void)unlink(path);
	(void)close(file);
}
