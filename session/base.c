/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Where the folders of sessions are. Programs of one user may begin with different environments, a
 * login's and cron's, and before and after root has made /run/tactus: so whoever joins looks first
 * where the session's folder is already. Source: File Hierarchy Standard 3.0, 3.15; XDG Base
 * Directory Specification.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

enum base { FOR_ALL, NAMED, LOGIN, TEMPORARY, BASES };

/* False: there is none here. */
static bool name_base(enum base which, char *path, size_t capacity)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	unsigned int user = (unsigned int)geteuid();
	int length;

	switch (which) {
	case FOR_ALL:
		/* The same place as the state of the machine's real-time CPUs has: see there. */
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

/* What another user may rename things in holds no session. */
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
	/* A group's users have but one place in common. */
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
