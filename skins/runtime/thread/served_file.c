/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The life of a served file: a number is reserved by the name of a socket, which disappears with
 * the program in any case. So if a mount is found under a number that could be reserved, it is of a
 * killed program.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <tactus/skin.h>

#include "runtime/linux_thread.h"
#include "served.h"

#define STATE "/run/tactus"

static _Atomic(struct runtime_served_kind *) kinds;
static _Atomic bool told;

/* Kinds are added, and none is removed. */
static void know(struct runtime_served_kind *kind)
{
	if (atomic_exchange(&kind->known, true))
		return;
	kind->next = atomic_load(&kinds);
	while (!atomic_compare_exchange_weak(&kinds, &kind->next, kind))
		;
}

int runtime_served_reserve(struct runtime_served_kind *kind, int number)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct runtime_served *device = &kind->files[number];
	int length = snprintf(at.sun_path + 1, sizeof(at.sun_path) - 1, "tactus/%s/%d", kind->name,
			      number);

	if (atomic_exchange(&device->reserved, true))
		return -EBUSY;
	know(kind);
	device->lock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (device->lock >= 0 &&
	    !bind(device->lock, (struct sockaddr *)&at,
		  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)))
		return 0;
	runtime_served_release(kind, number);
	return -EBUSY;
}

void runtime_served_release(struct runtime_served_kind *kind, int number)
{
	struct runtime_served *device = &kind->files[number];

	if (device->lock >= 0)
		close(device->lock);
	atomic_store(&device->reserved, false);
}

bool runtime_served_exists(const struct runtime_served_kind *kind, int number)
{
	char path[64];
	struct stat status;

	(void)snprintf(path, sizeof(path), "/dev/%s%d", kind->name, number);
	return !lstat(path, &status) && S_ISREG(status.st_mode);
}

static void tell(const char *path, int error)
{
	if (!atomic_exchange(&told, true))
		fprintf(stderr,
			"%s: %s cannot be made (%s), so only this program can use it: run as root, "
			"with the right to mount, and load the kernel module fuse\n",
			program_invocation_short_name, path, strerror(error));
}

/* Remove what a killed program has left, and make the file to mount on. It is a socket, because an
 * open() of a socket fails (ENXIO) until the mount covers it. */
static int prepare_path(const struct runtime_served *device)
{
	struct stat status;

	while (!umount2(device->path, MNT_DETACH))
		;
	if (!lstat(device->path, &status)) {
		if (!S_ISSOCK(status.st_mode) && !S_ISREG(status.st_mode))
			return -EEXIST;
		(void)unlink(device->path);
	}
	return mknod(device->path, S_IFSOCK | 0660, 0) ? -errno : 0;
}

/* A descriptor of the connection, or a negative error. */
static int mount_file(const struct runtime_served *device)
{
	char options[128];
	int error = prepare_path(device);
	int fuse;

	if (error)
		return error;
	fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
	if (fuse < 0)
		return -errno;
	snprintf(options, sizeof(options),
		 "fd=%d,rootmode=%o,user_id=%u,group_id=%u,allow_other,default_permissions", fuse,
		 S_IFREG, geteuid(), getegid());
	if (!mount("tactus", device->path, "fuse", MS_NOSUID | MS_NODEV | MS_NOATIME, options))
		return fuse;
	error = -errno;
	close(fuse);
	(void)unlink(device->path);
	return error;
}

static void unmount_file(const struct runtime_served *device)
{
	(void)umount2(device->path, MNT_DETACH);
	(void)unlink(device->path);
	if (device->link[0])
		(void)unlink(device->link);
}

static struct served *file_new(const struct runtime_served_kind *kind, void *owner)
{
	struct served *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->ops = kind->ops;
	file->owner = owner;
	file->single = kind->single;
	file->request = malloc(SERVED_REQUEST_BYTES);
	file->wake = eventfd(0, EFD_CLOEXEC);
	pthread_mutex_init(&file->lock, NULL);
	pthread_cond_init(&file->changed, NULL);
	if (file->request && file->wake >= 0)
		return file;
	free(file->request);
	free(file);
	return NULL;
}

static void file_free(struct served *file)
{
	close(file->wake);
	pthread_mutex_destroy(&file->lock);
	pthread_cond_destroy(&file->changed);
	free(file->request);
	free(file);
}

static void wake(const struct served *file)
{
	(void)!write(file->wake, &(uint64_t){1}, sizeof(uint64_t));
}

static int start_threads(struct served *file)
{
	int error = runtime_linux_thread(&file->server, served_serve, file);

	if (error)
		return error;
	error = runtime_linux_thread(&file->taker, served_take, file);
	if (error) {
		wake(file);
		pthread_join(file->server, NULL);
	}
	return error;
}

/*
 * By a first close() an old kernel learns that it need not wait for an answer to it. Otherwise the
 * last close(), at the end of the process, would wait for a server that has ended already. This
 * open() does not keep others from opening the file.
 */
static void open_once(const struct runtime_served *device)
{
	int fd = open(device->path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

/* All users may make files in /run/tactus, so a link there could lead anywhere. */
static bool has_links(const char *links)
{
	struct stat status;

	if (!mkdir(STATE, 01777))
		(void)chmod(STATE, 01777);
	(void)mkdir(links, 0755);
	return !lstat(links, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH));
}

static void make_link(struct runtime_served *device, const char *kind, const char *name)
{
	char links[sizeof(STATE) + 16];

	(void)snprintf(links, sizeof(links), STATE "/%s", kind);
	device->link[0] = 0;
	if (!name[0] || strchr(name, '/') || !has_links(links) ||
	    snprintf(device->link, sizeof(device->link), "%s/%s", links, name) >=
		    (int)sizeof(device->link)) {
		device->link[0] = 0;
		return;
	}
	(void)unlink(device->link);
	if (symlink(device->path, device->link))
		device->link[0] = 0;
}

int runtime_served_open(struct runtime_served_kind *kind, int number, const char *name, void *owner)
{
	struct runtime_served *device = &kind->files[number];
	struct served *file = file_new(kind, owner);
	int fuse;

	if (!file)
		return -TACT_ENOMEM;
	(void)snprintf(device->path, sizeof(device->path), "/dev/%s%d", kind->name, number);
	fuse = mount_file(device);
	if (fuse < 0) {
		tell(device->path, -fuse);
		file_free(file);
		return 0;
	}
	file->fuse = fuse;
	file->maker = gettid();
	if (start_threads(file)) {
		unmount_file(device);
		close(fuse);
		file_free(file);
		return -TACT_ENOMEM;
	}
	open_once(device);
	make_link(device, kind->name, name);
	device->file = file;
	return 0;
}

void runtime_served_stop(struct runtime_served_kind *kind, int number)
{
	struct served *file = kind->files[number].file;
	size_t bytes;

	if (!file)
		return;
	/* A task that is deleted ends in primary mode, or in its next service. Here it would end
	 * with the lock. */
	(void)tact_task_relax();
	pthread_mutex_lock(&file->lock);
	file->ending = true;
	bytes = file->bytes;
	file->bytes = 0;
	pthread_cond_broadcast(&file->changed);
	pthread_mutex_unlock(&file->lock);
	/* The taker takes only while there are no data, so they stay as they are. */
	if (bytes && file->ops->drop)
		file->ops->drop(file->owner, &file->data);
}

void runtime_served_close(struct runtime_served_kind *kind, int number)
{
	struct runtime_served *device = &kind->files[number];
	struct served *file = device->file;

	if (!file)
		return;
	device->file = NULL;
	unmount_file(device);
	wake(file);
	pthread_join(file->server, NULL);
	pthread_join(file->taker, NULL);
	close(file->fuse);
	file_free(file);
}

/* At the end of the program. The takers remain in their waits, and end with the program. */
static void finish_kind(const struct runtime_served_kind *kind)
{
	for (int number = 0; number < kind->count && !tact_exits_as_killed(); number++) {
		struct served *file = kind->files[number].file;

		if (!file)
			continue;
		unmount_file(&kind->files[number]);
		wake(file);
		pthread_join(file->server, NULL);
		close(file->fuse);
	}
}

__attribute__((destructor)) static void finish(void)
{
	for (struct runtime_served_kind *kind = atomic_load(&kinds); kind; kind = kind->next)
		finish_kind(kind);
}

static void forget_kind(struct runtime_served_kind *kind)
{
	for (int number = 0; number < kind->count; number++) {
		if (kind->files[number].file)
			close(kind->files[number].file->fuse);
		kind->files[number].file = NULL;
		if (atomic_load(&kind->files[number].reserved))
			runtime_served_release(kind, number);
	}
}

/* The files belong to the parent. A child that kept them open would keep them alive. */
static void forget(void)
{
	for (struct runtime_served_kind *kind = atomic_load(&kinds); kind; kind = kind->next)
		forget_kind(kind);
}

__attribute__((constructor)) static void load(void)
{
	(void)pthread_atfork(NULL, NULL, forget);
}
