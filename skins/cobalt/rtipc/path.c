/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * open() of the files of XDDP's ports: by the path that Xenomai's registry has for their labels,
 * and before the port is bound. Xenomai's open() of /dev/rtpN waits for the real-time side, and
 * programs rely on that. Xenomai's open() of a label does not wait; but there it is seldom too
 * early, because a real-time thread that was created before has bound the label by then. So here it
 * waits for a second.
 */
#include "rtipc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "runtime/open_mode.h"

#define REGISTRY "/proc/xenomai/registry/rtipc/xddp/"
#define FOLDER   "/run/tactus/rtp"
#define LINKS    FOLDER "/"
#define PORTS    "/dev/rtp"
#define SERVER   "/dev/fuse"
#define NAP_NS   10000000

#define NAPS_OF_BOUND 100
#define NAPS_OF_LABEL 100

#define PATH_BYTES 96

/* The path to be opened. made: memory for it, if it is not `path` itself. */
static const char *meant(const char *path, char made[PATH_BYTES])
{
	if (!path || strncmp(path, REGISTRY, strlen(REGISTRY)))
		return path;
	snprintf(made, PATH_BYTES, LINKS "%s", path + strlen(REGISTRY));
	return made;
}

/* The port whose file it is, or -1. */
static int port_of(const char *path)
{
	char *end;
	long port;

	if (strncmp(path, PORTS, strlen(PORTS)) != 0 ||
	    !isdigit((unsigned char)path[strlen(PORTS)]))
		return -1;
	port = strtol(path + strlen(PORTS), &end, 10);
	return *end || port >= RTIPC_PORTS ? -1 : (int)port;
}

static bool is_label(const char *path)
{
	return !strncmp(path, LINKS, strlen(LINKS)) && path[strlen(LINKS)];
}

/*
 * Open a label in its folder, which must belong to root or to the user: any user may make a folder
 * of that name, with links that lead anywhere.
 */
static int open_label(const char *path, int flags, mode_t mode)
{
	int folder = open(FOLDER, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	const char *name = path + strlen(LINKS);
	int fd = -1, error;
	struct stat status;

	if (folder < 0)
		return -1;
	if (!fstat(folder, &status) && (!status.st_uid || status.st_uid == geteuid()))
		fd = openat(folder, name + strspn(name, "/"), flags, mode);
	else
		errno = EACCES;
	error = errno;
	(void)close(folder);
	errno = error;
	return fd;
}

/*
 * An open() failed: is it to be tried again? Not if no file can appear, which is so if a port is
 * bound and its file is still missing. naps: how often that was seen, or a label was missing.
 */
static bool awaits_file(const char *path, int flags, int *naps)
{
	const struct timespec nap = {0, NAP_NS};
	const int error = errno;
	bool waits;
	int port;

	/* ENXIO: the file is about to appear. */
	if ((error != ENOENT && error != ENXIO) || flags & O_NONBLOCK || !path)
		return false;
	port = port_of(path);
	if (port >= 0)
		waits = !rtipc_at(&rtipc_xddp, port) || ++*naps <= NAPS_OF_BOUND;
	else
		waits = is_label(path) && ++*naps <= NAPS_OF_LABEL;
	if (!waits || access(SERVER, R_OK | W_OK) != 0) {
		errno = error;
		return false;
	}
	(void)nanosleep(&nap, NULL);
	return true;
}

static int open_by(int (*opens)(const char *path, int flags, ...), const char *path, int flags,
		   mode_t mode)
{
	char made[PATH_BYTES];
	int naps = 0;
	int fd;

	path = meant(path, made);
	do
		fd = path && is_label(path) ? open_label(path, flags, mode)
					    : opens(path, flags, mode);
	while (fd < 0 && awaits_file(path, flags, &naps));
	return fd;
}

/* Each of these has a list of arguments of its own, which only it can begin and end. */
int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = runtime_open_mode(flags, args);
	va_end(args);
	return open_by(open, path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = runtime_open_mode(flags, args);
	va_end(args);
	return open_by(open64, path, flags, mode);
}

int __wrap___open_2(const char *path, int flags)
{
	return __wrap_open(path, flags);
}

int __wrap___open64_2(const char *path, int flags)
{
	return __wrap_open64(path, flags);
}
