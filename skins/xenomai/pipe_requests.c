/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The kernel's requests for a served file. Each is answered at once, or kept until there is a
 * message or room. Source: Linux, include/uapi/linux/fuse.h.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pipe_file.h"

#define VALID_S  3600u
#define BY_MAKER 1u /* the handle of an open() that does not count */

static void do_init(struct pipe_file *file, uint64_t unique, const struct fuse_init_in *in)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = in->minor < FUSE_KERNEL_MINOR_VERSION ? in->minor
							       : FUSE_KERNEL_MINOR_VERSION,
		.flags = in->flags & (FUSE_ATOMIC_O_TRUNC | FUSE_BIG_WRITES),
		.max_background = 16,
		.congestion_threshold = 12,
		.max_write = PIPE_WRITE_BYTES,
		.time_gran = 1,
	};

	pipe_file_answer(file, unique, in->major == FUSE_KERNEL_VERSION ? 0 : -EPROTO, &out,
			 sizeof(out));
}

static void do_attributes(struct pipe_file *file, uint64_t unique)
{
	struct fuse_attr_out out = {
		.attr_valid = VALID_S,
		.attr = {.ino = 1,
			 .mode = S_IFREG | 0660,
			 .nlink = 1,
			 .uid = geteuid(),
			 .gid = getegid()},
	};

	pipe_file_answer(file, unique, 0, &out, sizeof(out));
}

static void do_open(struct pipe_file *file, const struct fuse_in_header *in)
{
	struct fuse_open_out out = {.open_flags = FOPEN_DIRECT_IO | FOPEN_STREAM |
						  FOPEN_NONSEEKABLE | FOPEN_NOFLUSH};

	if (file->maker && (pid_t)in->pid == file->maker) {
		file->maker = 0;
		out.fh = BY_MAKER;
	} else if (file->opened) {
		pipe_file_answer(file, in->unique, -EBUSY, NULL, 0);
		return;
	} else {
		file->opened = true;
	}
	pipe_file_answer(file, in->unique, 0, &out, sizeof(out));
}

static void do_read(struct pipe_file *file, uint64_t unique, const struct fuse_read_in *in)
{
	if (!in->size || file->ending)
		pipe_file_answer(file, unique, 0, NULL, 0);
	else if (!file->readers && pipe_message_look(file))
		pipe_message_give(file, unique, in->size);
	else if (in->flags & O_NONBLOCK || file->readers == PIPE_READERS)
		pipe_file_answer(file, unique, -EAGAIN, NULL, 0);
	else {
		file->reader[file->readers].unique = unique;
		file->reader[file->readers++].size = in->size;
		pipe_file_want(file);
	}
}

static int pass_on(const struct pipe_file *file, const void *data, size_t bytes)
{
	int result = tact_zqueue_write(file->ends.from_linux, data, bytes, TACT_ZQUEUE_NORMAL);

	if (result >= 0 && file->ends.written)
		file->ends.written(file->ends.owner);
	return result;
}

static void answer_write(const struct pipe_file *file, uint64_t unique, size_t bytes, int result)
{
	struct fuse_write_out out = {.size = (uint32_t)bytes};

	if (result >= 0)
		pipe_file_answer(file, unique, 0, &out, sizeof(out));
	else
		pipe_file_answer(file, unique, result == -TACT_ENOSPC ? -EAGAIN : -EPIPE, NULL, 0);
}

static void do_write(struct pipe_file *file, uint64_t unique, const struct fuse_write_in *in)
{
	struct pipe_blocked **last = &file->blocked;
	struct pipe_blocked *blocked;
	int result = file->blocked ? -TACT_ENOSPC : pass_on(file, in + 1, in->size);

	if (result != -TACT_ENOSPC || in->flags & O_NONBLOCK) {
		answer_write(file, unique, in->size, result);
		return;
	}
	blocked = malloc(sizeof(*blocked) + in->size);
	if (!blocked) {
		pipe_file_answer(file, unique, -ENOMEM, NULL, 0);
		return;
	}
	blocked->next = NULL;
	blocked->unique = unique;
	blocked->bytes = in->size;
	memcpy(blocked->data, in + 1, in->size);
	while (*last)
		last = &(*last)->next;
	*last = blocked;
}

void pipe_file_retry_writes(struct pipe_file *file)
{
	while (file->blocked) {
		struct pipe_blocked *first = file->blocked;
		int result = pass_on(file, first->data, first->bytes);

		if (result == -TACT_ENOSPC)
			return;
		answer_write(file, first->unique, first->bytes, result);
		file->blocked = first->next;
		free(first);
	}
}

static void do_poll(struct pipe_file *file, uint64_t unique, const struct fuse_poll_in *in)
{
	struct fuse_poll_out out = {.revents = POLLOUT | POLLWRNORM};

	if (pipe_message_look(file)) {
		out.revents |= POLLIN | POLLRDNORM;
	} else if (in->flags & FUSE_POLL_SCHEDULE_NOTIFY) {
		file->poll = in->kh;
		pipe_file_want(file);
	}
	if (file->blocked)
		out.revents &= ~(uint32_t)(POLLOUT | POLLWRNORM);
	pipe_file_answer(file, unique, 0, &out, sizeof(out));
}

static void do_interrupt(struct pipe_file *file, const struct fuse_interrupt_in *in)
{
	for (unsigned int i = 0; i < file->readers; i++)
		if (file->reader[i].unique == in->unique) {
			pipe_file_answer(file, in->unique, -EINTR, NULL, 0);
			pipe_file_reader_leaves(file, i);
			return;
		}
	for (struct pipe_blocked **link = &file->blocked; *link; link = &(*link)->next)
		if ((*link)->unique == in->unique) {
			struct pipe_blocked *gone = *link;

			pipe_file_answer(file, in->unique, -EINTR, NULL, 0);
			*link = gone->next;
			free(gone);
			return;
		}
}

static void do_release(struct pipe_file *file, uint64_t unique, const struct fuse_release_in *in)
{
	if (in->fh != BY_MAKER) {
		pipe_message_drop(file);
		file->opened = false;
	}
	pipe_file_answer(file, unique, 0, NULL, 0);
}

void pipe_file_answer_request(struct pipe_file *file)
{
	const struct fuse_in_header *in = (const void *)file->request;
	const void *args = in + 1;

	switch (in->opcode) {
	case FUSE_INIT:
		do_init(file, in->unique, args);
		break;
	case FUSE_GETATTR:
	case FUSE_SETATTR:
		do_attributes(file, in->unique);
		break;
	case FUSE_OPEN:
		do_open(file, in);
		break;
	case FUSE_READ:
		do_read(file, in->unique, args);
		break;
	case FUSE_WRITE:
		do_write(file, in->unique, args);
		break;
	case FUSE_POLL:
		do_poll(file, in->unique, args);
		break;
	case FUSE_RELEASE:
		do_release(file, in->unique, args);
		break;
	case FUSE_INTERRUPT:
		do_interrupt(file, args);
		break;
	case FUSE_FORGET:
	case FUSE_BATCH_FORGET:
		break;
	default:
		pipe_file_answer(file, in->unique, -ENOSYS, NULL, 0);
	}
}
