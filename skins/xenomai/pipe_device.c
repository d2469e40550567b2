/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The life of /dev/rtpN: a number is reserved by the name of a socket, which disappears with the
 * program in any case. So if a mount is found under a number that could be reserved, it is of a
 * killed program.
 */
#define _GNU_SOURCE
#include "pipe_device.h"

#include <errno.h>
#include <fcntl.h>
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
#include "pipe_file.h"

#define STATE      "/run/tactus"
#define LINKS      STATE "/rtp"
#define PATH_BYTES 128u

static struct device {
	int lock; /* the socket; valid if `reserved` */
	_Atomic bool reserved;
	struct pipe_file *file; /* NULL: there is none */
	char path[PATH_BYTES];
	char link[PATH_BYTES];
} devices[PIPE_MINORS];

static _Atomic bool told;

int pipe_device_reserve(int minor)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	struct device *device = &devices[minor];
	int length = snprintf(at.sun_path + 1, sizeof(at.sun_path) - 1, "tactus/rtp/%d", minor);

	if (atomic_exchange(&device->reserved, true))
		return -EBUSY;
	device->lock = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (device->lock >= 0 &&
	    !bind(device->lock, (struct sockaddr *)&at,
		  (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length)))
		return 0;
	pipe_device_release(minor);
	return -EBUSY;
}

void pipe_device_release(int minor)
{
	struct device *device = &devices[minor];

	if (device->lock >= 0)
		close(device->lock);
	atomic_store(&device->reserved, false);
}

static void tell(const char *path, int error)
{
	if (!atomic_exchange(&told, true))
		fprintf(stderr,
			"%s: %s cannot be made (%s), so only tasks can use the pipe: run as root, "
			"with the right to mount, and load the kernel module fuse\n",
			program_invocation_short_name, path, strerror(error));
}

/* Remove what a killed program has left, and make the file to mount on. It is a socket, because an
 * open() of a socket fails (ENXIO) until the mount covers it. */
static int prepare_path(const struct device *device)
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
static int mount_file(const struct device *device)
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

static void unmount_file(const struct device *device)
{
	(void)umount2(device->path, MNT_DETACH);
	(void)unlink(device->path);
	if (device->link[0])
		(void)unlink(device->link);
}

static struct pipe_file *file_new(const struct pipe_ends *ends)
{
	struct pipe_file *file = calloc(1, sizeof(*file));

	if (!file)
		return NULL;
	file->ends = *ends;
	file->request = malloc(PIPE_REQUEST_BYTES);
	file->wake = eventfd(0, EFD_CLOEXEC);
	pthread_mutex_init(&file->lock, NULL);
	pthread_cond_init(&file->changed, NULL);
	if (file->request && file->wake >= 0)
		return file;
	free(file->request);
	free(file);
	return NULL;
}

static void file_free(struct pipe_file *file)
{
	close(file->wake);
	pthread_mutex_destroy(&file->lock);
	pthread_cond_destroy(&file->changed);
	free(file->request);
	free(file);
}

static void wake(const struct pipe_file *file)
{
	(void)!write(file->wake, &(uint64_t){1}, sizeof(uint64_t));
}

static int start_threads(struct pipe_file *file)
{
	int error = runtime_linux_thread(&file->server, pipe_file_serve, file);

	if (error)
		return error;
	error = runtime_linux_thread(&file->taker, pipe_file_take, file);
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
static void open_once(const struct device *device)
{
	int fd = open(device->path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
}

/* All users may make files in /run/tactus, so a link there could lead anywhere. */
static bool has_links(void)
{
	struct stat status;

	if (!mkdir(STATE, 01777))
		(void)chmod(STATE, 01777);
	(void)mkdir(LINKS, 0755);
	return !lstat(LINKS, &status) && S_ISDIR(status.st_mode) && status.st_uid == geteuid() &&
	       !(status.st_mode & (S_IWGRP | S_IWOTH));
}

static void make_link(struct device *device, const char *name)
{
	device->link[0] = 0;
	if (!name[0] || strchr(name, '/') || !has_links())
		return;
	snprintf(device->link, sizeof(device->link), LINKS "/%s", name);
	(void)unlink(device->link);
	if (symlink(device->path, device->link))
		device->link[0] = 0;
}

int pipe_device_open(int minor, const char *name, const struct pipe_ends *ends)
{
	struct device *device = &devices[minor];
	struct pipe_file *file = file_new(ends);
	int fuse;

	if (!file)
		return -TACT_ENOMEM;
	snprintf(device->path, sizeof(device->path), "/dev/rtp%d", minor);
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
	make_link(device, name);
	device->file = file;
	return 0;
}

void pipe_device_stop(int minor)
{
	struct pipe_file *file = devices[minor].file;
	void *message;

	if (!file)
		return;
	/* A task that is deleted ends in primary mode, or in its next service. Here it would end
	 * with the lock. */
	(void)tact_task_relax();
	pthread_mutex_lock(&file->lock);
	file->ending = true;
	message = file->message;
	file->message = NULL;
	file->bytes = 0;
	pthread_cond_broadcast(&file->changed);
	pthread_mutex_unlock(&file->lock);
	if (message)
		(void)tact_zqueue_free(file->ends.to_linux, message);
}

void pipe_device_close(int minor)
{
	struct device *device = &devices[minor];
	struct pipe_file *file = device->file;

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
__attribute__((destructor)) static void finish(void)
{
	for (int minor = 0; minor < PIPE_MINORS && !tact_exits_as_killed(); minor++) {
		struct pipe_file *file = devices[minor].file;

		if (!file)
			continue;
		unmount_file(&devices[minor]);
		wake(file);
		pthread_join(file->server, NULL);
		close(file->fuse);
	}
}

/* The files belong to the parent. A child that kept them open would keep them alive. */
static void forget(void)
{
	for (int minor = 0; minor < PIPE_MINORS; minor++) {
		if (devices[minor].file)
			close(devices[minor].file->fuse);
		devices[minor].file = NULL;
		if (atomic_load(&devices[minor].reserved))
			pipe_device_release(minor);
	}
}

__attribute__((constructor)) static void load(void)
{
	(void)pthread_atfork(NULL, NULL, forget);
}
