/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The objects of a pipe: messages in each direction, and a stream. */
#ifndef SKINS_XENOMAI_PIPE_ENDS_H
#define SKINS_XENOMAI_PIPE_ENDS_H

#include <stdatomic.h>
#include <stddef.h>

#include <tactus/tact.h>

#define PIPE_STREAM_BYTES 16384u

struct pipe_ends {
	tact_zqueue_t to_linux;
	tact_zqueue_t from_linux;
	/* Streamed data are in the buffer. An empty message in to_linux, always the same one, marks
	 * their place while `streaming` is set. Its receiver clears `streaming`, then reads. */
	tact_buffer_t stream;
	void *marker;
	_Atomic uint32_t *streaming;
	/* Called after each message from Linux, by a Linux thread; or NULL. */
	void (*written)(void *owner);
	void *owner;
};

/*
 * Make the objects, with room for so many bytes of messages in each direction (0: 64 KiB). The
 * caller fills in the other members. key: in the registry, or NULL. 0, or a negative error of the
 * nucleus.
 */
int pipe_ends_create(struct pipe_ends *ends, const char *key, size_t bytes);
void pipe_ends_delete(const struct pipe_ends *ends);
/* Data were put into the stream: mark their place, if it is not marked yet. Context: any. */
void pipe_ends_mark(const struct pipe_ends *ends);

#endif
