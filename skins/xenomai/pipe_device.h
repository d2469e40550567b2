/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The Linux end of a pipe, /dev/rtpN: what the back end serves, and what it works on. */
#ifndef SKINS_COMMON_PIPE_DEVICE_H
#define SKINS_COMMON_PIPE_DEVICE_H

#include <stdatomic.h>

#include <tactus/tact.h>

#define PIPE_MINORS       32
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

/* Is the number free on this machine? From here on it is the caller's: 0 or -EBUSY. Context of all:
 * linux, task in secondary mode. */
int pipe_device_reserve(int minor);
void pipe_device_release(int minor);

/* Make the file. What keeps it from being there is told, and not an error. 0 or -ENOMEM. */
int pipe_device_open(int minor, const char *name, const struct pipe_ends *ends);

/* Before the objects of its ends are deleted: what is being read is given back, and readers see the
 * end. */
void pipe_device_stop(int minor);
/* Take it away; the objects of its ends are deleted already, so that nobody waits for them. */
void pipe_device_close(int minor);

#endif
