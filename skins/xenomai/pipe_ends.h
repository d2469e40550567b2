/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What stands behind a pipe: messages each way, and a stream. */
#ifndef SKINS_XENOMAI_PIPE_ENDS_H
#define SKINS_XENOMAI_PIPE_ENDS_H

#include <stdatomic.h>
#include <stddef.h>

#include <tactus/tact.h>

#define PIPE_STREAM_BYTES 16384u

struct pipe_ends {
	tact_exchange_t to_linux;
	tact_exchange_t from_linux;
	/* What is streamed lies in the buffer; an empty message in to_linux, always the same one,
	 * marks its place while `streaming` is set. Whoever receives it clears that, then reads. */
	tact_buffer_t stream;
	void *marker;
	_Atomic uint32_t *streaming;
	/* After each message from Linux, by a Linux thread; or NULL. */
	void (*written)(void *owner);
	void *owner;
};

/*
 * Make the objects, with room for so many bytes of messages in each direction (0: 64 KiB); the rest
 * is the caller's to fill in. key: in the registry, or NULL. 0, or a negative error of the nucleus.
 */
int pipe_ends_create(struct pipe_ends *ends, const char *key, size_t bytes);
void pipe_ends_delete(const struct pipe_ends *ends);
/* Something was put into the stream: mark its place, if that is not done yet. Context: any. */
void pipe_ends_mark(const struct pipe_ends *ends);

#endif
