/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A served file. One thread answers the kernel's requests and never waits for data; another one,
 * the taker, waits for data that are wanted by a read() or poll(). A message is taken only when it
 * is wanted, so that an urgent one still passes those that are not wanted yet. Source: Linux,
 * include/uapi/linux/fuse.h.
 */
#define _GNU_SOURCE
#include "served.h"

#include <errno.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define RETRY_MS 1

/* The kernel takes the whole answer, or has dropped the request. */
void served_answer(const struct served *file, uint64_t unique, int error, const void *data,
		   size_t bytes)
{
	struct fuse_out_header header = {(uint32_t)(sizeof(header) + bytes), error, unique};
	struct iovec parts[] = {{&header, sizeof(header)}, {(void *)(uintptr_t)data, bytes}};

	(void)!writev(file->fuse, parts, bytes ? 2 : 1);
}

void served_drop(struct served *file)
{
	if (file->bytes && file->ops->drop)
		file->ops->drop(file->owner, &file->data);
	file->bytes = 0;
}

bool served_look(struct served *file, size_t most)
{
	int bytes;

	if (file->bytes || file->ending || (file->wanted && !file->ops->ready))
		return file->bytes != 0;
	bytes = file->ops->take(file->owner, &file->data, most);
	file->bytes = bytes > 0 ? (size_t)bytes : 0;
	return bytes > 0;
}

bool served_readable(struct served *file)
{
	if (file->ops->ready)
		return !file->ending && file->ops->ready(file->owner);
	return served_look(file, 1);
}

void served_give(struct served *file, uint64_t unique, size_t size)
{
	size_t bytes = size < file->bytes ? size : file->bytes;
	int error = file->ops->done ? file->ops->done(file->owner, 'r') : 0;

	served_answer(file, unique, error, file->data.at, error ? 0 : bytes);
	file->data.at += bytes;
	file->bytes -= bytes;
	if (!file->bytes && file->ops->drop)
		file->ops->drop(file->owner, &file->data);
}

void served_want(struct served *file)
{
	file->wanted = true;
	pthread_cond_broadcast(&file->changed);
}

void served_reader_leaves(struct served *file, unsigned int i)
{
	file->readers--;
	memmove(&file->reader[i], &file->reader[i + 1],
		(file->readers - i) * sizeof(file->reader[0]));
}

static void serve_readers(struct served *file)
{
	while (file->readers && served_look(file, file->reader[0].size)) {
		served_give(file, file->reader[0].unique, file->reader[0].size);
		served_reader_leaves(file, 0);
	}
	if (file->readers)
		served_want(file);
}

static void tell_poll(struct served *file)
{
	struct fuse_notify_poll_wakeup_out wakeup = {file->poll};
	struct fuse_out_header header = {sizeof(header) + sizeof(wakeup), FUSE_NOTIFY_POLL, 0};
	struct iovec parts[] = {{&header, sizeof(header)}, {&wakeup, sizeof(wakeup)}};

	if (file->poll)
		(void)!writev(file->fuse, parts, 2);
	file->poll = 0;
}

void *served_take(void *arg)
{
	struct served *file = arg;
	int bytes = 0;

	pthread_mutex_lock(&file->lock);
	while (!file->ending && bytes >= 0) {
		if (!file->wanted) {
			pthread_cond_wait(&file->changed, &file->lock);
			continue;
		}
		pthread_mutex_unlock(&file->lock);
		bytes = file->ops->wait(file->owner, &file->data);
		pthread_mutex_lock(&file->lock);
		if (bytes > 0)
			file->bytes = (size_t)bytes;
		/* No reader gets the data any more. */
		if (file->ending)
			served_drop(file);
		if (bytes < 0 || file->ending)
			continue;
		file->wanted = false;
		serve_readers(file);
		if (file->poll && !served_readable(file))
			served_want(file);
		else
			tell_poll(file);
	}
	pthread_mutex_unlock(&file->lock);
	return NULL;
}

/* End all waits: readers get the end of file, and writers get EPIPE. */
static void end(struct served *file)
{
	while (file->readers) {
		served_answer(file, file->reader[0].unique, 0, NULL, 0);
		served_reader_leaves(file, 0);
	}
	while (file->blocked) {
		struct served_blocked *first = file->blocked;

		served_answer(file, first->unique, -EPIPE, NULL, 0);
		file->blocked = first->next;
		free(first);
	}
	tell_poll(file);
}

void *served_serve(void *arg)
{
	struct served *file = arg;
	struct pollfd fds[] = {{.fd = file->fuse, .events = POLLIN},
			       {.fd = file->wake, .events = POLLIN}};

	for (;;) {
		ssize_t bytes = 0;

		(void)poll(fds, 2, file->blocked ? RETRY_MS : -1);
		if (fds[1].revents)
			break;
		if (fds[0].revents) {
			bytes = read(file->fuse, file->request, SERVED_REQUEST_BYTES);
			/* ENOENT: the kernel dropped the request before it could be read. */
			if (bytes < 0 && errno != EINTR && errno != EAGAIN && errno != ENOENT)
				break;
		}
		pthread_mutex_lock(&file->lock);
		if (bytes >= (ssize_t)sizeof(struct fuse_in_header))
			served_answer_request(file);
		served_retry_writes(file);
		pthread_mutex_unlock(&file->lock);
	}
	pthread_mutex_lock(&file->lock);
	end(file);
	pthread_mutex_unlock(&file->lock);
	return NULL;
}
