/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the folders of sessions are. Programs of one user may start with different environments (of
 * a login, of cron), and before or after root has made /run/tactus. So a process that joins first
 * looks whether one of the places already has the session's folder. Source: File Hierarchy Standard
 * 3.0, 3.15; XDG Base Directory Specification.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

enum base { FOR_ALL, NAMED, LOGIN, TEMPORARY, BASES };

/* False: there is no such place. */
static bool name_base(enum base which, char *path, size_t capacity)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	unsigned int user = (unsigned int)geteuid();
	int length;

	switch (which) {
	case FOR_ALL:
		/* The state of the machine's real-time CPUs is in the same place: see there. */
		length = snprintf(path, capacity, "/run/tactus");
		break;
	case NAMED:
		if (!runtime || !*runtime)
			return false;
		length = snprintf(path, capacity, "%s/tactus", runtime);
		break;
	case LOGIN:
		length = snprintf(path, capacity, "/run/user/%u/tactus", user);
		break;
	default:
		length = snprintf(path, capacity, "/tmp/tactus-%u", user);
	}
	return length < (int)capacity;
}

static void make_base(enum base which, const char *path)
{
	if (which != FOR_ALL)
		(void)mkdir(path, 0700);
	else if (!mkdir(path, 01777))
		(void)chmod(path, 01777);
}

/* A folder in which another user may rename files cannot hold a session. */
static bool may_use(enum base which, const char *path)
{
	struct stat status;

	if (lstat(path, &status) || !S_ISDIR(status.st_mode) || access(path, W_OK | X_OK))
		return false;
	return which == FOR_ALL || status.st_uid == geteuid();
}

static bool has(const char *base, const char *name)
{
	char path[sizeof(session_self.folder)];

	return snprintf(path, sizeof(path), "%s/%s", base, name) < (int)sizeof(path) &&
	       !access(path, F_OK);
}

int session_base(const char *name, char *path, size_t capacity)
{
	/* The users of a group have only one place in common. */
	enum base end = session_self.group == SESSION_NO_GROUP ? BASES : NAMED;

	for (enum base which = FOR_ALL; which < end; which++)
		if (name_base(which, path, capacity) && may_use(which, path) && has(path, name))
			return 0;
	for (enum base which = FOR_ALL; which < end; which++) {
		if (!name_base(which, path, capacity))
			continue;
		make_base(which, path);
		if (may_use(which, path))
			return 0;
	}
	return -EACCES;
}
