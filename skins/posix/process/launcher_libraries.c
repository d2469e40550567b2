/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The environment of the launched program: the libraries that are loaded before its own. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "posix/process/launcher.h"

#define LIBRARY "libtactus-run.so"

/*
 * Relative to the folder of this program, in a build and in an installation, because an
 * installation may be moved. LIBRARIES is the path from there to the folder of the installed
 * libraries.
 */
#define LIBRARY_INSTALLED LIBRARIES "/" LIBRARY
#define BARE_BUILT        "../../lib/bare/libtactus.so.0"
#define BARE_INSTALLED    LIBRARIES "/tactus/bare/libtactus.so.0"

void launcher_quit(int status, const char *format, ...)
{
	va_list arguments;

	fputs("tactus run: ", stderr);
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
	exit(status);
}

void launcher_put(const char *name, const char *value)
{
	if (setenv(name, value, 1))
		launcher_quit(USAGE_STATUS, "out of memory");
}

/* Relative to this program's folder; an absolute path is taken as it is. */
static void from_here(char path[PATH_MAX], const char *way)
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX / 2);

	if (length < 0)
		launcher_quit(USAGE_STATUS, "/proc/self/exe: %s", strerror(errno));
	path[length] = '\0';
	strcpy(*way == '/' ? path : strrchr(path, '/') + 1, way);
}

/* The built library, or else the installed one. */
static void find_library(char path[PATH_MAX], const char *built, const char *installed)
{
	from_here(path, built);
	if (access(path, R_OK)) {
		from_here(path, installed);
		if (access(path, R_OK))
			launcher_quit(USAGE_STATUS, "%s: %s; install Tactus as a whole", path,
				      strerror(errno));
	}
	/* To the dynamic linker, blanks and colons are separators. */
	if (strpbrk(path, " :"))
		launcher_quit(
			USAGE_STATUS,
			"the path of %s has a blank or a colon: move Tactus to another folder",
			path);
}

static void put_both(const char *name, const char *first, const char *separator, const char *second)
{
	char *all;

	if (asprintf(&all, "%s%s%s", first, *first && *second ? separator : "", second) < 0)
		launcher_quit(USAGE_STATUS, "out of memory");
	launcher_put(name, all);
	free(all);
}

static const char *from_environment(const char *name)
{
	const char *value = getenv(name);

	return value ? value : "";
}

/* The user's entries of a list in the environment remain. Of several paths the first one counts, */
static void put_first(const char *name, const char *own)
{
	put_both(name, own, ":", from_environment(name));
}

/* and of several options the last one. */
void launcher_put_last(const char *name, const char *own)
{
	put_both(name, from_environment(name), ",", own);
}

/* Tasks do not serve restartable sequences, which the C library would register for their
 * threads. */
static void tune(void)
{
	const char *others = getenv("GLIBC_TUNABLES");

	if (!others || !strstr(others, "glibc.pthread.rseq="))
		put_first("GLIBC_TUNABLES", "glibc.pthread.rseq=0");
}

void launcher_take_library(void)
{
	char path[PATH_MAX];

	find_library(path, LIBRARY, LIBRARY_INSTALLED);
	put_first("LD_PRELOAD", path);
	tune();
}

/*
 * A library of the same name, from another folder: the dynamic linker finds it there before the one
 * that the skin was linked with. If the real-time half of a program then finds no CPU, the program
 * continues without it. What is missing altogether is reported here, before the program begins.
 */
void launcher_take_bare_library(void)
{
	char path[PATH_MAX];
	int device = open("/dev/tactus", O_RDWR | O_CLOEXEC);

	if (device < 0)
		launcher_quit(USAGE_STATUS,
			      "--core bare: /dev/tactus: %s; ./tactus doctor says what to do",
			      strerror(errno));
	close(device);
	find_library(path, BARE_BUILT, BARE_INSTALLED);
	*strrchr(path, '/') = '\0';
	put_first("LD_LIBRARY_PATH", path);
}

static bool is_folder_of(const char *folder, const char *library)
{
	struct stat one, other;
	char path[PATH_MAX];

	from_here(path, library);
	*strrchr(path, '/') = '\0';
	return !stat(folder, &one) && !stat(path, &other) && one.st_dev == other.st_dev &&
	       one.st_ino == other.st_ino;
}

/* The rest remains unchanged, including empty names, which mean the program's working folder. */
void launcher_leave_bare_library(void)
{
	char *rest = strdup(from_environment("LD_LIBRARY_PATH"));
	char *kept = rest ? calloc(1, strlen(rest) + 2) : NULL;
	const char *folder;
	bool changed = false;

	if (!kept)
		launcher_quit(USAGE_STATUS, "out of memory");
	for (char *at = rest; (folder = strsep(&at, ":"));) {
		if (*folder &&
		    (is_folder_of(folder, BARE_BUILT) || is_folder_of(folder, BARE_INSTALLED)))
			changed = true;
		else
			strcat(strcat(kept, folder), ":");
	}
	if (changed && *kept) {
		kept[strlen(kept) - 1] = '\0';
		launcher_put("LD_LIBRARY_PATH", kept);
	} else if (changed) {
		unsetenv("LD_LIBRARY_PATH");
	}
	free(kept);
	free(rest);
}
