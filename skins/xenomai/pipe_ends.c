/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The objects of a pipe's ends: one exchange for each direction, and a buffer for streamed data. */
#include "pipe_ends.h"

#define POOL_BYTES  65536u
#define PAGE_BYTES  4096u /* pools are of whole pages, as programs that ask for few bytes expect */
#define USUAL_BYTES 256u

int pipe_ends_create(struct pipe_ends *ends, const char *key, size_t bytes)
{
	size_t pages = (bytes ? bytes - 1 : POOL_BYTES - 1) / PAGE_BYTES + 1;
	size_t count = pages * (PAGE_BYTES / USUAL_BYTES) + 1;
	int error;

	bytes = count > UINT32_MAX ? 0 : tact_zqueue_memory_bytes(USUAL_BYTES, (uint32_t)count);
	if (!bytes)
		return -TACT_ENOMEM;
	error = tact_zqueue_create(NULL, NULL, bytes, 0, TACT_FIFO, &ends->from_linux);
	if (error)
		return error;
	error = tact_buffer_create(NULL, PIPE_STREAM_BYTES, TACT_FIFO, &ends->stream);
	if (error)
		goto delete_from;
	error = tact_zqueue_create(key, NULL, bytes, 0, TACT_FIFO, &ends->to_linux);
	if (error)
		goto delete_stream;
	/* This cannot fail, as there is room for messages. */
	error = tact_zqueue_alloc(ends->to_linux, 0, &ends->marker);
	if (!error)
		return 0;
	(void)tact_zqueue_delete(ends->to_linux);
delete_stream:
	(void)tact_buffer_delete(ends->stream);
delete_from:
	(void)tact_zqueue_delete(ends->from_linux);
	return error;
}

void pipe_ends_delete(const struct pipe_ends *ends)
{
	(void)tact_zqueue_delete(ends->to_linux);
	(void)tact_zqueue_delete(ends->from_linux);
	(void)tact_buffer_delete(ends->stream);
}

/* The bytes are put before the flag is set, because the reader clears the flag before it reads
 * bytes. */
void pipe_ends_mark(const struct pipe_ends *ends)
{
	if (!atomic_exchange(ends->streaming, 1))
		(void)tact_zqueue_send(ends->to_linux, ends->marker, 0, TACT_ZQUEUE_NORMAL);
}
