/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * /dev/rtpN as a file that this program serves. One thread answers the kernel's requests and never
 * waits for a message; another one, the taker, waits for a message that is wanted by a read() or
 * poll(). A message is taken from the pipe only when it is wanted, so that an urgent one still
 * passes those that are not wanted yet.
 * Source: Linux, include/uapi/linux/fuse.h.
 */
#define _GNU_SOURCE
#include "pipe_file.h"

#include <errno.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#define RETRY_MS 1

/* The kernel takes the whole answer, or has dropped the request. */
void pipe_file_answer(const struct pipe_file *file, uint64_t unique, int error, const void *data,
		      size_t bytes)
{
	struct fuse_out_header header = {(uint32_t)(sizeof(header) + bytes), error, unique};
	struct iovec parts[] = {{&header, sizeof(header)}, {(void *)(uintptr_t)data, bytes}};

	(void)!writev(file->fuse, parts, bytes ? 2 : 1);
}

void pipe_message_drop(struct pipe_file *file)
{
	if (file->message)
		(void)tact_zqueue_free(file->ends.to_linux, file->message);
	file->message = NULL;
	file->bytes = 0;
}

/* Make what was received the message that is being read. False: it has no data. */
static bool message_set(struct pipe_file *file, void *message, int bytes)
{
	if (bytes) {
		file->message = message;
		file->data = message;
		file->bytes = (size_t)bytes;
		return true;
	}
	atomic_store(file->ends.streaming, 0);
	bytes = tact_buffer_read(file->ends.stream, file->chunk, sizeof(file->chunk),
				 TACT_BUFFER_PARTIAL, TACT_NOWAIT);
	file->data = file->chunk;
	file->bytes = bytes > 0 ? (size_t)bytes : 0;
	return bytes > 0;
}

/* Are there data to be read now? If the taker waits for a message, it is the taker that gets it. */
bool pipe_message_look(struct pipe_file *file)
{
	void *message;
	int bytes;

	if (file->bytes || file->wanted || file->ending)
		return file->bytes != 0;
	while ((bytes = tact_zqueue_receive(file->ends.to_linux, &message, TACT_NOWAIT)) >= 0)
		if (message_set(file, message, bytes))
			return true;
	return false;
}

void pipe_message_give(struct pipe_file *file, uint64_t unique, size_t size)
{
	size_t bytes = size < file->bytes ? size : file->bytes;

	pipe_file_answer(file, unique, 0, file->data, bytes);
	file->data += bytes;
	file->bytes -= bytes;
	if (!file->bytes)
		pipe_message_drop(file);
}

void pipe_file_want(struct pipe_file *file)
{
	file->wanted = true;
	pthread_cond_broadcast(&file->changed);
}

void pipe_file_reader_leaves(struct pipe_file *file, unsigned int i)
{
	file->readers--;
	memmove(&file->reader[i], &file->reader[i + 1],
		(file->readers - i) * sizeof(file->reader[0]));
}

static void serve_readers(struct pipe_file *file)
{
	while (file->readers && pipe_message_look(file)) {
		pipe_message_give(file, file->reader[0].unique, file->reader[0].size);
		pipe_file_reader_leaves(file, 0);
	}
	if (file->readers)
		pipe_file_want(file);
}

static void tell_poll(struct pipe_file *file)
{
	struct fuse_notify_poll_wakeup_out wakeup = {file->poll};
	struct fuse_out_header header = {sizeof(header) + sizeof(wakeup), FUSE_NOTIFY_POLL, 0};
	struct iovec parts[] = {{&header, sizeof(header)}, {&wakeup, sizeof(wakeup)}};

	if (file->poll)
		(void)!writev(file->fuse, parts, 2);
	file->poll = 0;
}

void *pipe_file_take(void *arg)
{
	struct pipe_file *file = arg;
	void *message;
	int bytes = 0;

	pthread_mutex_lock(&file->lock);
	while (!file->ending && bytes >= 0) {
		if (!file->wanted) {
			pthread_cond_wait(&file->changed, &file->lock);
			continue;
		}
		pthread_mutex_unlock(&file->lock);
		bytes = tact_zqueue_receive(file->ends.to_linux, &message, TACT_FOREVER);
		pthread_mutex_lock(&file->lock);
		/* No reader gets the message any more. */
		if (bytes > 0 && file->ending)
			(void)tact_zqueue_free(file->ends.to_linux, message);
		if (bytes < 0 || file->ending || !message_set(file, message, bytes))
			continue;
		file->wanted = false;
		serve_readers(file);
		tell_poll(file);
	}
	pthread_mutex_unlock(&file->lock);
	return NULL;
}

/* End all waits: readers get the end of file, and writers get EPIPE. */
static void end(struct pipe_file *file)
{
	while (file->readers) {
		pipe_file_answer(file, file->reader[0].unique, 0, NULL, 0);
		pipe_file_reader_leaves(file, 0);
	}
	while (file->blocked) {
		struct pipe_blocked *first = file->blocked;

		pipe_file_answer(file, first->unique, -EPIPE, NULL, 0);
		file->blocked = first->next;
		free(first);
	}
	tell_poll(file);
}

void *pipe_file_serve(void *arg)
{
	struct pipe_file *file = arg;
	struct pollfd fds[] = {{.fd = file->fuse, .events = POLLIN},
			       {.fd = file->wake, .events = POLLIN}};

	for (;;) {
		ssize_t bytes = 0;

		(void)poll(fds, 2, file->blocked ? RETRY_MS : -1);
		if (fds[1].revents)
			break;
		if (fds[0].revents) {
			bytes = read(file->fuse, file->request, PIPE_REQUEST_BYTES);
			/* ENOENT: the kernel dropped the request before it could be read. */
			if (bytes < 0 && errno != EINTR && errno != EAGAIN && errno != ENOENT)
				break;
		}
		pthread_mutex_lock(&file->lock);
		if (bytes >= (ssize_t)sizeof(struct fuse_in_header))
			pipe_file_answer_request(file);
		pipe_file_retry_writes(file);
		pthread_mutex_unlock(&file->lock);
	}
	pthread_mutex_lock(&file->lock);
	end(file);
	pthread_mutex_unlock(&file->lock);
	return NULL;
}
