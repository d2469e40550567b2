/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a buffer holds: a ring of bytes, as a stream or as messages that stay whole. It knows
 * nothing of those who wait. Context of everything here: the buffer's home CPU, stalled.
 */
#ifndef NUC_BUFFER_RING_H
#define NUC_BUFFER_RING_H

#include <stdbool.h>
#include <stdint.h>

struct nuc_buffer_ring {
	char *bytes;
	uint32_t size;
	uint32_t head; /* where the oldest byte is */
	uint32_t used;
	uint32_t messages;
	bool whole; /* contents are messages */
};

/*
 * Write all bytes, or with partial as many as there is room for. Returns how many, or -TACT_EAGAIN:
 * no room.
 */
int nuc_buffer_ring_write(struct nuc_buffer_ring *ring, const void *data, uint32_t bytes,
			  bool partial);

/*
 * Read that many bytes, or with partial what is there; of messages the first one. data: NULL drops
 * them. Returns how many, -TACT_EAGAIN: they are not there, or -TACT_EMSGSIZE: the message is
 * longer than bytes, and stays.
 */
int nuc_buffer_ring_read(struct nuc_buffer_ring *ring, void *data, uint32_t bytes, bool partial);

/* Drop everything; returns how many bytes that was. */
uint32_t nuc_buffer_ring_clear(struct nuc_buffer_ring *ring);

#endif
