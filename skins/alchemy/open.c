/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * open() of a program of this API: with the options of xeno-config the linker redirects the call to
 * this. The path that Xenomai's registry has for the label of a real-time socket is not a file of
 * Linux. The POSIX skin's open() knows such paths; it is called by this one if the program uses
 * real-time sockets.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "alchemy_internal.h"
#include "runtime/open_mode.h"

typedef int open_function(const char *path, int flags, ...);

open_function __wrap_open, __wrap_open64;
int __wrap___open_2(const char *path, int flags);
int __wrap___open64_2(const char *path, int flags);

static open_function *next_open = open;
static open_function *next_open64 = open64;

/* To be run before the program's own constructors, which may open files. */
__attribute__((constructor(101))) static void find_next(void)
{
	void *found = dlsym(RTLD_NEXT, "__wrap_open");

	if (found)
		memcpy(&next_open, &found, sizeof(next_open));
	found = dlsym(RTLD_NEXT, "__wrap_open64");
	if (found)
		memcpy(&next_open64, &found, sizeof(next_open64));
}

/* Each of these has a list of arguments of its own, which only it can begin and end. */
int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = runtime_open_mode(flags, args);
	va_end(args);
	return next_open(path, flags, mode);
}

int __wrap_open64(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = runtime_open_mode(flags, args);
	va_end(args);
	return next_open64(path, flags, mode);
}

/* Called by programs that are compiled with _FORTIFY_SOURCE. */
int __wrap___open_2(const char *path, int flags)
{
	return __wrap_open(path, flags);
}

int __wrap___open64_2(const char *path, int flags)
{
	return __wrap_open64(path, flags);
}
