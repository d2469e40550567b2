/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Clearing away: what this process leaves at its end, and what killed processes left, in all
 * sessions of the user and of the group that shares this one.
 *
 * A process that removes the name of a dead one locks the folder (flock, which ends with its
 * holder) and checks under the lock that the name still refers to the dead process. So the name of
 * a live process is never removed. A file is removed relative to the open folder, so that nothing
 * is removed from a folder of the same name that was made anew. A folder is removed by rmdir(),
 * which is refused unless it is empty. A process that found the folder, and had nothing in it yet,
 * makes it again (session_dir_listen()).
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

bool session_node_is_dead(const char *folder, const char *node)
{
	struct sockaddr_un address;
	bool dead = false;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return false;
	if (!session_node_address(folder, node, &address) &&
	    connect(fd, (struct sockaddr *)&address, sizeof(address)))
		dead = errno == ECONNREFUSED || errno == ENOENT;
	close(fd);
	return dead;
}

static void remove_dead_in(int folder, const char *file, const struct session_target *seen)
{
	struct session_target now;

	if (flock(folder, LOCK_EX))
		return;
	if (!session_name_target(folder, file, &now) && strcmp(now.text, seen->text) == 0)
		(void)unlinkat(folder, file, 0);
	(void)flock(folder, LOCK_UN);
}

static int open_folder(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void session_remove_dead(const char *file, const struct session_target *seen)
{
	int folder = open_folder(session_self.folder);

	if (folder < 0)
		return;
	remove_dead_in(folder, file, seen);
	close(folder);
}

/* A process listens before its socket has its final name. Until then the name has a second dot. */
static bool is_left_over(const char *path, const char *node)
{
	int pid = atoi(node + 2);

	if (node[1] != '.')
		return session_node_is_dead(path, node);
	return pid > 0 && kill(pid, 0) && errno == ESRCH;
}

/* Successive names mostly belong to the same few processes, so the last answer is kept. */
struct verdict {
	char node[SESSION_NODE_BYTES];
	bool dead;
};

static bool is_dead_again(struct verdict *last, const char *path, const char *node)
{
	if (strcmp(node, last->node) != 0) {
		last->dead = session_node_is_dead(path, node);
		snprintf(last->node, sizeof(last->node), "%s", node);
	}
	return last->dead;
}

static void sweep_one(int folder, const char *path, const char *file, struct verdict *last)
{
	struct session_target target;

	if (strcmp(file, ".") == 0 || strcmp(file, "..") == 0)
		return;
	if (file[0] == '.') {
		if (is_left_over(path, file))
			(void)unlinkat(folder, file, 0);
	} else if (!session_name_target(folder, file, &target) &&
		   is_dead_again(last, path, target.node)) {
		remove_dead_in(folder, file, &target);
	}
}

/* A folder that another user has put there is not trusted. */
static bool is_to_be_swept(const struct stat *status)
{
	return status->st_uid == geteuid() ||
	       (session_self.group != SESSION_NO_GROUP && status->st_gid == session_self.group);
}

static void sweep_folder(const char *path)
{
	struct verdict last = {"", false};
	int fd = open_folder(path);
	const struct dirent *entry;
	struct stat status;
	DIR *folder;

	if (fd < 0)
		return;
	folder = !fstat(fd, &status) && is_to_be_swept(&status) ? fdopendir(fd) : NULL;
	if (!folder) {
		close(fd);
		return;
	}
	while ((entry = readdir(folder)))
		sweep_one(fd, path, entry->d_name, &last);
	closedir(folder);
	(void)rmdir(path);
}

void session_sweep(void)
{
	char path[sizeof(session_self.base) + sizeof(((struct dirent *)NULL)->d_name) + 1];
	DIR *base = opendir(session_self.base);
	const struct dirent *entry;

	if (!base)
		return;
	while ((entry = readdir(base))) {
		if (strncmp(entry->d_name, SESSION_PREFIX, strlen(SESSION_PREFIX)) != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", session_self.base, entry->d_name);
		sweep_folder(path);
	}
	closedir(base);
}

void session_dir_leave(void)
{
	int fd = open_folder(session_self.folder);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!folder) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(folder))) {
		struct session_target target;

		if (entry->d_name[0] != '.' && !session_name_target(fd, entry->d_name, &target) &&
		    strcmp(target.node, session_self.node) == 0)
			(void)unlinkat(fd, entry->d_name, 0);
	}
	/* Last, because the socket shows that this process may have names. */
	(void)unlinkat(fd, session_self.node, 0);
	closedir(folder);
	(void)rmdir(session_self.folder);
}
