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

#include "served.h"

#define VALID_S  3600u
#define BY_MAKER 1u /* the handle of an open() that does not count */

static void do_init(struct served *file, uint64_t unique, const struct fuse_init_in *in)
{
	struct fuse_init_out out = {
		.major = FUSE_KERNEL_VERSION,
		.minor = in->minor < FUSE_KERNEL_MINOR_VERSION ? in->minor
							       : FUSE_KERNEL_MINOR_VERSION,
		.flags = in->flags & (FUSE_ATOMIC_O_TRUNC | FUSE_BIG_WRITES),
		.max_background = 16,
		.congestion_threshold = 12,
		.max_write = SERVED_WRITE_BYTES,
		.time_gran = 1,
	};

	served_answer(file, unique, in->major == FUSE_KERNEL_VERSION ? 0 : -EPROTO, &out,
		      sizeof(out));
}

static void do_attributes(struct served *file, uint64_t unique)
{
	struct fuse_attr_out out = {
		.attr_valid = VALID_S,
		.attr = {.ino = 1,
			 .mode = S_IFREG | 0660,
			 .nlink = 1,
			 .uid = geteuid(),
			 .gid = getegid()},
	};

	served_answer(file, unique, 0, &out, sizeof(out));
}

static void do_open(struct served *file, const struct fuse_in_header *in)
{
	struct fuse_open_out out = {.open_flags = FOPEN_DIRECT_IO | FOPEN_STREAM |
						  FOPEN_NONSEEKABLE | FOPEN_NOFLUSH};

	if (file->maker && (pid_t)in->pid == file->maker) {
		file->maker = 0;
		out.fh = BY_MAKER;
	} else if (file->single && file->opened) {
		served_answer(file, in->unique, -EBUSY, NULL, 0);
		return;
	} else {
		file->opened++;
	}
	served_answer(file, in->unique, 0, &out, sizeof(out));
}

static void do_read(struct served *file, uint64_t unique, const struct fuse_read_in *in)
{
	if (!in->size || file->ending)
		served_answer(file, unique, 0, NULL, 0);
	else if (!file->readers && served_look(file, in->size))
		served_give(file, unique, in->size);
	else if (in->flags & O_NONBLOCK || file->readers == SERVED_READERS)
		served_answer(file, unique, -EAGAIN, NULL, 0);
	else {
		file->reader[file->readers].unique = unique;
		file->reader[file->readers++].size = in->size;
		served_want(file);
	}
}

/* Put what can be put now. */
static int pass_on(const struct served *file, const void *data, size_t bytes)
{
	return file->ops->put(file->owner, data, bytes);
}

static void answer_write(const struct served *file, uint64_t unique, size_t bytes)
{
	struct fuse_write_out out = {.size = (uint32_t)bytes};
	int error = file->ops->done ? file->ops->done(file->owner, 'w') : 0;

	served_answer(file, unique, error, &out, error ? 0 : sizeof(out));
}

static void do_write(struct served *file, uint64_t unique, const struct fuse_write_in *in)
{
	struct served_blocked **last = &file->blocked;
	struct served_blocked *blocked;
	int put = file->blocked ? 0 : pass_on(file, in + 1, in->size);

	if (put < 0) {
		served_answer(file, unique, -EPIPE, NULL, 0);
		return;
	}
	if ((size_t)put == in->size || (put && in->flags & O_NONBLOCK)) {
		answer_write(file, unique, (size_t)put);
		return;
	}
	blocked = in->flags & O_NONBLOCK ? NULL : malloc(sizeof(*blocked) + in->size);
	if (!blocked) {
		served_answer(file, unique, in->flags & O_NONBLOCK ? -EAGAIN : -ENOMEM, NULL, 0);
		return;
	}
	blocked->next = NULL;
	blocked->unique = unique;
	blocked->bytes = in->size;
	blocked->put = (size_t)put;
	memcpy(blocked->data, in + 1, in->size);
	while (*last)
		last = &(*last)->next;
	*last = blocked;
}

void served_retry_writes(struct served *file)
{
	while (file->blocked) {
		struct served_blocked *first = file->blocked;
		int put = pass_on(file, first->data + first->put, first->bytes - first->put);

		if (put > 0)
			first->put += (size_t)put;
		if (put >= 0 && first->put < first->bytes)
			return;
		if (put < 0)
			served_answer(file, first->unique, -EPIPE, NULL, 0);
		else
			answer_write(file, first->unique, first->bytes);
		file->blocked = first->next;
		free(first);
	}
}

static void do_poll(struct served *file, uint64_t unique, const struct fuse_poll_in *in)
{
	struct fuse_poll_out out = {.revents = POLLOUT | POLLWRNORM};

	if (served_readable(file)) {
		out.revents |= POLLIN | POLLRDNORM;
	} else if (in->flags & FUSE_POLL_SCHEDULE_NOTIFY) {
		file->poll = in->kh;
		served_want(file);
	}
	if (file->blocked)
		out.revents &= ~(uint32_t)(POLLOUT | POLLWRNORM);
	served_answer(file, unique, 0, &out, sizeof(out));
}

static void do_interrupt(struct served *file, const struct fuse_interrupt_in *in)
{
	for (unsigned int i = 0; i < file->readers; i++)
		if (file->reader[i].unique == in->unique) {
			served_answer(file, in->unique, -EINTR, NULL, 0);
			served_reader_leaves(file, i);
			return;
		}
	for (struct served_blocked **link = &file->blocked; *link; link = &(*link)->next)
		if ((*link)->unique == in->unique) {
			struct served_blocked *gone = *link;

			/* What is in the file already is not to be written again. */
			if (gone->put)
				answer_write(file, gone->unique, gone->put);
			else
				served_answer(file, in->unique, -EINTR, NULL, 0);
			*link = gone->next;
			free(gone);
			return;
		}
}

static void do_release(struct served *file, uint64_t unique, const struct fuse_release_in *in)
{
	if (in->fh != BY_MAKER) {
		if (!--file->opened)
			served_drop(file);
	}
	served_answer(file, unique, 0, NULL, 0);
}

void served_answer_request(struct served *file)
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
		served_answer(file, in->unique, -ENOSYS, NULL, 0);
	}
}
