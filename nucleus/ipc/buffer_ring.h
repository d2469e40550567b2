/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The contents of a buffer: a ring of bytes, as a stream or as messages that stay whole. The ring
 * knows nothing of waiters. Context of everything here: the buffer's home CPU, stalled.
 */
#ifndef NUC_BUFFER_RING_H
#define NUC_BUFFER_RING_H

#include <stdbool.h>
#include <stdint.h>

struct nuc_buffer_ring {
	char *bytes;
	uint32_t size;
	uint32_t head; /* index of the oldest byte */
	uint32_t used;
	uint32_t messages;
	bool whole; /* contents are messages */
};

/*
 * Write all bytes, or with partial as many as fit. Returns how many, or -TACT_EAGAIN: no room.
 */
int nuc_buffer_ring_write(struct nuc_buffer_ring *ring, const void *data, uint32_t bytes,
			  bool partial);

/*
 * Drop the oldest bytes, or the oldest messages, until there is room for a write of that many
 * bytes, which the ring can hold if it is empty. Returns whether anything was dropped.
 */
bool nuc_buffer_ring_make_room(struct nuc_buffer_ring *ring, uint32_t bytes);

/* Would such a read give another result than -TACT_EAGAIN? */
bool nuc_buffer_ring_has(const struct nuc_buffer_ring *ring, uint32_t bytes, bool partial);

/*
 * Read that many bytes, or with partial as many as the ring has; or the first message. data: NULL
 * to drop them. Returns how many, or -TACT_EAGAIN: the ring does not have them; or -TACT_EMSGSIZE:
 * the message is longer than bytes, and remains.
 */
int nuc_buffer_ring_read(struct nuc_buffer_ring *ring, void *data, uint32_t bytes, bool partial);

/*
 * Copy as many bytes as are there, at most that many, or the first message; they remain. data: NULL
 * to copy nothing. Returns how many, or as nuc_buffer_ring_read().
 */
int nuc_buffer_ring_look(const struct nuc_buffer_ring *ring, void *data, uint32_t bytes);

/* Drop all contents; returns how many bytes that was. */
uint32_t nuc_buffer_ring_clear(struct nuc_buffer_ring *ring);

#endif
