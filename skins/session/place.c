/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The folder of a session: a socket for each process, a symbolic link for each name.
 *
 * Who removes what another process made holds the folder's lock (flock, which ends with its holder)
 * and has seen under it that the maker is dead, so that a name can never be taken from the living.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define PATH_BYTES   256
#define TARGET_BYTES 64
#define TRIES        8

static int folder_path(char *path, size_t capacity, const char *label)
{
	const char *runtime = getenv("XDG_RUNTIME_DIR");
	char base[64];
	int length;

	/* The same place as the state of the machine's real-time CPUs has: see there. */
	length = snprintf(base, sizeof(base), "/run/tactus");
	if (!mkdir(base, 01777))
		(void)chmod(base, 01777);
	if (access(base, W_OK)) {
		if (runtime && *runtime)
			length = snprintf(base, sizeof(base), "%s/tactus", runtime);
		else
			length =
				snprintf(base, sizeof(base), "/tmp/tactus-%u", (unsigned)geteuid());
		if (length >= (int)sizeof(base))
			return -ENAMETOOLONG;
		if (mkdir(base, 0700) && errno != EEXIST)
			return -errno;
	}
	length = snprintf(path, capacity, "%s/session-%u%s%s", base, (unsigned)geteuid(),
			  label ? "-" : "", label ? label : "");
	return length < (int)capacity ? 0 : -ENAMETOOLONG;
}

/* In a folder that all may write to another user can have been there first. */
static int folder_make(const char *path)
{
	struct stat status;

	if (mkdir(path, 0700) && errno != EEXIST)
		return -errno;
	if (lstat(path, &status))
		return -errno;
	return S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
			       !(status.st_mode & (S_IRWXG | S_IRWXO))
		       ? 0
		       : -EPERM;
}

int session_place(const char *label, char *reason)
{
	struct session_self *self = &session_self;
	int error;

	if (label && (!*label || *label == '.' || strchr(label, '/') ||
		      strlen(label) >= SESSION_LABEL_BYTES)) {
		snprintf(reason, SESSION_REASON_BYTES,
			 "a session's label has 1 to %d bytes, no slash, and no dot at its head",
			 SESSION_LABEL_BYTES - 1);
		return -EINVAL;
	}
	error = folder_path(self->folder, sizeof(self->folder), label);
	if (!error)
		error = folder_make(self->folder);
	if (error) {
		snprintf(reason, SESSION_REASON_BYTES,
			 "the folder %s of the session cannot be used (%s): it must be a folder of "
			 "this user alone",
			 self->folder, strerror(-error));
		return error;
	}
	if (getrandom(&self->peer, sizeof(self->peer), 0) != sizeof(self->peer))
		return -EIO;
	snprintf(self->node, sizeof(self->node), ".%d-%" PRIx64, (int)getpid(), self->peer);
	return 0;
}

int session_node_address(const char *node, struct sockaddr_un *address)
{
	int length;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	length = snprintf(address->sun_path, sizeof(address->sun_path), "%s/%s",
			  session_self.folder, node);
	return length < (int)sizeof(address->sun_path) ? 0 : -ENAMETOOLONG;
}

bool session_node_is_dead(const char *node)
{
	struct sockaddr_un address;
	bool dead = false;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return false;
	if (!session_node_address(node, &address) &&
	    connect(fd, (struct sockaddr *)&address, sizeof(address)))
		dead = errno == ECONNREFUSED || errno == ENOENT;
	close(fd);
	return dead;
}

/* Bytes that a file's name cannot have, or that mean something here, go as %XX. */
static int name_path(char *path, const char *type, const char *name)
{
	size_t used = (size_t)snprintf(path, PATH_BYTES, "%s/%s:", session_self.folder, type);

	for (; *name && used + 4 < PATH_BYTES; name++) {
		unsigned char byte = (unsigned char)*name;

		if (byte > ' ' && byte < 127 && byte != '/' && byte != '%')
			path[used++] = (char)byte;
		else
			used += (size_t)sprintf(path + used, "%%%02x", byte);
	}
	path[used] = '\0';
	return *name ? -ENAMETOOLONG : 0;
}

/* What a name says. 0, -ENOENT. */
static int read_name(const char *path, char target[TARGET_BYTES], char node[SESSION_NODE_BYTES],
		     uint64_t *object)
{
	ssize_t length = readlink(path, target, TARGET_BYTES - 1);

	if (length < 0)
		return -errno;
	target[length] = '\0';
	return sscanf(target, "%31s %" SCNx64, node, object) == 2 ? 0 : -ENOENT;
}

static void remove_dead(const char *path, const char *target)
{
	char lock[PATH_BYTES];
	char now[TARGET_BYTES];
	char node[SESSION_NODE_BYTES];
	uint64_t object;
	int fd;

	snprintf(lock, sizeof(lock), "%s/.lock", session_self.folder);
	fd = open(lock, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	if (!flock(fd, LOCK_EX) && !read_name(path, now, node, &object) && strcmp(now, target) == 0)
		(void)unlink(path);
	close(fd);
}

int session_announce(const char *type, const char *name, uint64_t object)
{
	char path[PATH_BYTES];
	char target[TARGET_BYTES];
	int error = name_path(path, type, name);

	if (error)
		return error;
	snprintf(target, sizeof(target), "%s %" PRIx64, session_self.node, object);
	for (int i = 0; i < TRIES; i++) {
		char there[TARGET_BYTES];
		char node[SESSION_NODE_BYTES];
		uint64_t other;

		if (!symlink(target, path))
			return 0;
		if (errno != EEXIST)
			return -errno;
		error = read_name(path, there, node, &other);
		if (!error && !session_node_is_dead(node))
			return -EEXIST;
		if (!error)
			remove_dead(path, there);
	}
	return -EEXIST;
}

void session_withdraw(const char *type, const char *name)
{
	char path[PATH_BYTES];

	if (session_joined() && !name_path(path, type, name))
		(void)unlink(path);
}

int session_name_read(const char *type, const char *name, char node[SESSION_NODE_BYTES],
		      uint64_t *object)
{
	char path[PATH_BYTES];
	char target[TARGET_BYTES];
	int error = name_path(path, type, name);

	if (!error)
		error = read_name(path, target, node, object);
	if (!error && strcmp(node, session_self.node) != 0 && session_node_is_dead(node)) {
		remove_dead(path, target);
		error = -ENOENT;
	}
	return error;
}

/* A socket that is bound and not listened to yet looks dead, but its process is there. */
static bool is_left_over(const char *node)
{
	int pid = atoi(node + 1);

	return pid > 0 && kill(pid, 0) && errno == ESRCH && session_node_is_dead(node);
}

/* Most names in turn are of the same few processes. */
static bool is_dead_again(const char *node)
{
	static char last[SESSION_NODE_BYTES];
	static bool dead;

	if (strcmp(node, last) != 0) {
		dead = session_node_is_dead(node);
		snprintf(last, sizeof(last), "%s", node);
	}
	return dead;
}

static void sweep_one(const char *file, bool own)
{
	char path[PATH_BYTES + 80];
	char target[TARGET_BYTES];
	char node[SESSION_NODE_BYTES];
	uint64_t object;

	snprintf(path, sizeof(path), "%s/%s", session_self.folder, file);
	if (file[0] == '.') {
		if (own ? strcmp(file, session_self.node) == 0 : is_left_over(file))
			(void)unlink(path);
		return;
	}
	if (read_name(path, target, node, &object))
		return;
	if (own && strcmp(node, session_self.node) == 0)
		(void)unlink(path);
	else if (!own && is_dead_again(node))
		remove_dead(path, target);
}

void session_sweep(bool own)
{
	DIR *folder = opendir(session_self.folder);
	const struct dirent *entry;

	if (!folder)
		return;
	while ((entry = readdir(folder)))
		sweep_one(entry->d_name, own);
	closedir(folder);
}
