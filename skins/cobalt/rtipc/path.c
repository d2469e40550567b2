/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Files of XDDP's ports by the path that Xenomai's registry has for their labels. */
#include "rtipc.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define REGISTRY "/proc/xenomai/registry/rtipc/xddp/"
#define LINKS    "/run/tactus/rtp/"

#define PATH_BYTES 96

/* The path that is meant; for: where it may be made up. */
static const char *meant(const char *path, char made[PATH_BYTES])
{
	if (!path || strncmp(path, REGISTRY, strlen(REGISTRY)))
		return path;
	snprintf(made, PATH_BYTES, LINKS "%s", path + strlen(REGISTRY));
	return made;
}

static mode_t mode_of(int flags, va_list args)
{
	return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(args, mode_t) : 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	char made[PATH_BYTES];
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return open(meant(path, made), flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
	char made[PATH_BYTES];
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = mode_of(flags, args);
	va_end(args);
	return open64(meant(path, made), flags, mode);
}

int __wrap___open_2(const char *path, int flags)
{
	char made[PATH_BYTES];

	return open(meant(path, made), flags);
}

int __wrap___open64_2(const char *path, int flags)
{
	char made[PATH_BYTES];

	return open64(meant(path, made), flags);
}
