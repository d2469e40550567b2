/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The folder of a session: a socket for each process, a symbolic link for each name. The folder
 * exists as long as the session has a member: a process that joins makes it if it is missing, and
 * the last one that leaves removes it (sweep.c).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

#define PATH_BYTES 256
#define TRIES      1000
#define NAP_US     1000

/* The sessions of a group have other folders than those of its users. */
static int folder_path(const char *label)
{
	struct session_self *self = &session_self;
	bool of_group = self->group != SESSION_NO_GROUP;
	char name[sizeof(self->folder)];
	int error;

	snprintf(name, sizeof(name), SESSION_PREFIX "%s%u%s%s", of_group ? "g" : "",
		 of_group ? (unsigned)self->group : (unsigned)geteuid(), label ? "-" : "",
		 label ? label : "");
	error = session_base(name, self->base, sizeof(self->base));
	if (error)
		return error;
	return snprintf(self->folder, sizeof(self->folder), "%s/%s", self->base, name) <
			       (int)sizeof(self->folder)
		       ? 0
		       : -ENAMETOOLONG;
}

/* In a base that all users may write to, another user may have made a folder of that name first. */
static bool is_ours(const struct stat *status)
{
	if (!S_ISDIR(status->st_mode) || (status->st_mode & S_IRWXO))
		return false;
	return session_self.group == SESSION_NO_GROUP
		       ? status->st_uid == geteuid() && !(status->st_mode & S_IRWXG)
		       : status->st_gid == session_self.group &&
				 (status->st_mode & S_IRWXG) == S_IRWXG;
}

/* Until the folder belongs to the group, its mode admits only this user. */
static int give_to_group(const char *path)
{
	int error;

	if (session_self.group == SESSION_NO_GROUP)
		return 0;
	if (!chown(path, (uid_t)-1, session_self.group) && !chmod(path, 02770))
		return 0;
	error = -errno;
	(void)rmdir(path);
	return error;
}

static bool may_become_ours(const struct stat *status)
{
	return session_self.group != SESSION_NO_GROUP && S_ISDIR(status->st_mode) &&
	       (status->st_mode & 0777) == 0700;
}

static int folder_make(void)
{
	const char *path = session_self.folder;
	struct stat status;
	int error = -EPERM;

	for (int i = 0; i < TRIES; i++) {
		if (!mkdir(path, 0700))
			error = give_to_group(path);
		else
			error = errno == EEXIST ? 0 : -errno;
		if (!error && lstat(path, &status))
			error = -errno;
		if (!error && is_ours(&status))
			return 0;
		if (!error && !may_become_ours(&status))
			return -EPERM;
		/* Another process has just made the folder and not given it to the group yet, or
		 * has just removed it as the last member. Try again. */
		if (error && error != -ENOENT)
			return error;
		usleep(NAP_US);
	}
	return error ? error : -EPERM;
}

/* LABEL or LABEL/GROUP. */
static int take_label(const char *text, char label[SESSION_LABEL_BYTES], char *reason)
{
	size_t length = text ? strcspn(text, "/") : 0;
	const struct group *group;

	session_self.group = SESSION_NO_GROUP;
	label[0] = '\0';
	if (!text)
		return 0;
	if (!length || *text == '.' || length >= SESSION_LABEL_BYTES) {
		snprintf(reason, SESSION_REASON_BYTES,
			 "a session's label has 1 to %d bytes, no slash, and no dot at the "
			 "beginning",
			 SESSION_LABEL_BYTES - 1);
		return -EINVAL;
	}
	memcpy(label, text, length);
	label[length] = '\0';
	if (!text[length])
		return 0;
	group = getgrnam(text + length + 1);
	if (!group) {
		snprintf(reason, SESSION_REASON_BYTES,
			 "the session %.40s names a group that does not exist: give a group of "
			 "/etc/group after the slash",
			 text);
		return -EINVAL;
	}
	session_self.group = group->gr_gid;
	return 0;
}

void session_node_name(char node[SESSION_NODE_BYTES], const struct session_process *process)
{
	snprintf(node, SESSION_NODE_BYTES, ".%u-%" PRIx64, process->pid, process->peer);
}

int session_dir(const char *text, char *reason)
{
	struct session_self *self = &session_self;
	char label[SESSION_LABEL_BYTES];
	int error = take_label(text, label, reason);

	if (error)
		return error;
	error = folder_path(text ? label : NULL);
	if (!error)
		error = folder_make();
	if (error) {
		snprintf(reason, SESSION_REASON_BYTES,
			 "the folder %.79s of the session cannot be used (%.60s): it must be a "
			 "folder of %s alone",
			 self->folder, strerror(-error),
			 self->group == SESSION_NO_GROUP ? "this user"
							 : "the group, with this user in it,");
		return error;
	}
	if (getrandom(&self->peer, sizeof(self->peer), 0) != sizeof(self->peer))
		return -EIO;
	session_node_name(self->node, &(struct session_process){self->peer, (uint32_t)getpid()});
	return 0;
}

/* Bind to a temporary name. The socket gets the node's name when the process listens, so a node at
 * which no process listens is dead. */
static int bind_in_folder(int fd, struct sockaddr_un *address)
{
	char node[SESSION_NODE_BYTES + 1];
	int error;

	snprintf(node, sizeof(node), ".%s", session_self.node);
	error = session_node_address(session_self.folder, node, address);
	for (int i = 0; !error && i < TRIES; i++) {
		if (!bind(fd, (struct sockaddr *)address, sizeof(*address)))
			return 0;
		/* The last member has removed the folder meanwhile. */
		error = errno == ENOENT ? folder_make() : -errno;
	}
	return error ? error : -ENOENT;
}

/* In the folder of a group, another user may have put something else in the socket's place. */
static int change_mode(const char *path, mode_t mode)
{
	int fd = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;
	char opened[32];
	int error;

	if (fd < 0)
		return -errno;
	snprintf(opened, sizeof(opened), "/proc/self/fd/%d", fd);
	if (fstat(fd, &status))
		error = -errno;
	else if (!S_ISSOCK(status.st_mode) || status.st_uid != geteuid())
		error = -EPERM;
	else
		error = chmod(opened, mode) ? -errno : 0;
	close(fd);
	return error;
}

int session_dir_listen(int fd, int backlog)
{
	mode_t mode = session_self.group == SESSION_NO_GROUP ? 0600 : 0660;
	struct sockaddr_un before;
	struct sockaddr_un address;
	int error = session_node_address(session_self.folder, session_self.node, &address);

	if (!error)
		error = bind_in_folder(fd, &before);
	if (error)
		return error;
	error = change_mode(before.sun_path, mode);
	if (!error && (listen(fd, backlog) || rename(before.sun_path, address.sun_path)))
		error = -errno;
	if (!error)
		return 0;
	(void)unlink(before.sun_path);
	session_dir_leave();
	return error;
}

int session_node_address(const char *folder, const char *node, struct sockaddr_un *address)
{
	int length;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	length = snprintf(address->sun_path, sizeof(address->sun_path), "%s/%s", folder, node);
	return length < (int)sizeof(address->sun_path) ? 0 : -ENAMETOOLONG;
}

/* Bytes that a file's name cannot contain, or that have a meaning here, are written as %XX. */
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

int session_name_target(int folder, const char *file, struct session_target *target)
{
	ssize_t length = readlinkat(folder, file, target->text, sizeof(target->text) - 1);

	if (length < 0)
		return -errno;
	target->text[length] = '\0';
	return sscanf(target->text, "%31s %" SCNx64, target->node, &target->object) == 2 ? 0
											 : -ENOENT;
}

int session_announce(const char *type, const char *name, uint64_t object)
{
	char path[PATH_BYTES];
	struct session_target own;
	int error = name_path(path, type, name);

	if (error)
		return error;
	snprintf(own.text, sizeof(own.text), "%s %" PRIx64, session_self.node, object);
	for (int i = 0; i < TRIES; i++) {
		struct session_target there;

		if (!symlink(own.text, path))
			return 0;
		if (errno != EEXIST)
			return -errno;
		error = session_name_target(AT_FDCWD, path, &there);
		if (!error && !session_node_is_dead(session_self.folder, there.node))
			return -EEXIST;
		if (!error)
			session_remove_dead(strrchr(path, '/') + 1, &there);
	}
	return -EEXIST;
}

void session_withdraw(const char *type, const char *name)
{
	char path[PATH_BYTES];

	if (atomic_load(&session_self.joined) && !name_path(path, type, name))
		(void)unlink(path);
}

int session_name_read(const char *type, const char *name, char node[SESSION_NODE_BYTES],
		      uint64_t *object)
{
	char path[PATH_BYTES];
	struct session_target target;
	int error = name_path(path, type, name);

	if (!error)
		error = session_name_target(AT_FDCWD, path, &target);
	if (error)
		return error;
	if (strcmp(target.node, session_self.node) != 0 &&
	    session_node_is_dead(session_self.folder, target.node)) {
		session_remove_dead(strrchr(path, '/') + 1, &target);
		return -ENOENT;
	}
	memcpy(node, target.node, SESSION_NODE_BYTES);
	*object = target.object;
	return 0;
}
