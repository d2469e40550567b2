/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The ring of a buffer. A message is its length, then its bytes; each part may cross the end of the
 * ring.
 */
#include "ipc/buffer_ring.h"

#include <tactus/buffer.h>

#include "base/string.h"

static void put(struct nuc_buffer_ring *ring, const void *data, uint32_t bytes)
{
	uint32_t at = (ring->head + ring->used) % ring->size;
	uint32_t first = ring->size - at < bytes ? ring->size - at : bytes;

	base_copy(ring->bytes + at, data, first);
	base_copy(ring->bytes, (const char *)data + first, bytes - first);
	ring->used += bytes;
}

int nuc_buffer_ring_write(struct nuc_buffer_ring *ring, const void *data, uint32_t bytes,
			  bool partial)
{
	uint32_t room = ring->size - ring->used;

	if (ring->whole) {
		if (room < TACT_BUFFER_MESSAGE_HEADER || room - TACT_BUFFER_MESSAGE_HEADER < bytes)
			return -TACT_EAGAIN;
		put(ring, &bytes, TACT_BUFFER_MESSAGE_HEADER);
		ring->messages++;
	} else if (bytes > room) {
		if (!partial || !room)
			return -TACT_EAGAIN;
		bytes = room;
	}
	put(ring, data, bytes);
	return (int)bytes;
}

/* Copy bytes that are there, from the one at this offset on. */
static void peek_at(const struct nuc_buffer_ring *ring, uint32_t offset, void *data, uint32_t bytes)
{
	uint32_t at = (ring->head + offset) % ring->size;
	uint32_t first = ring->size - at;

	if (first > bytes)
		first = bytes;
	base_copy(data, ring->bytes + at, first);
	base_copy((char *)data + first, ring->bytes, bytes - first);
}

static void peek(const struct nuc_buffer_ring *ring, void *data, uint32_t bytes)
{
	peek_at(ring, 0, data, bytes);
}

static void take(struct nuc_buffer_ring *ring, void *data, uint32_t bytes)
{
	if (data)
		peek(ring, data, bytes);
	ring->head = (ring->head + bytes) % ring->size;
	ring->used -= bytes;
}

bool nuc_buffer_ring_has(const struct nuc_buffer_ring *ring, uint32_t bytes, bool partial)
{
	if (ring->whole)
		return ring->messages != 0;
	return bytes <= ring->used || (partial && ring->used);
}

int nuc_buffer_ring_read(struct nuc_buffer_ring *ring, void *data, uint32_t bytes, bool partial)
{
	if (ring->whole) {
		uint32_t length;

		if (!ring->messages)
			return -TACT_EAGAIN;
		peek(ring, &length, TACT_BUFFER_MESSAGE_HEADER);
		if (data && length > bytes)
			return -TACT_EMSGSIZE;
		bytes = length;
		take(ring, NULL, TACT_BUFFER_MESSAGE_HEADER);
		ring->messages--;
	} else if (bytes > ring->used) {
		if (!partial || !ring->used)
			return -TACT_EAGAIN;
		bytes = ring->used;
	}
	take(ring, data, bytes);
	return (int)bytes;
}

int nuc_buffer_ring_look(const struct nuc_buffer_ring *ring, void *data, uint32_t bytes)
{
	const uint32_t offset = ring->whole ? TACT_BUFFER_MESSAGE_HEADER : 0;
	uint32_t length = ring->used;

	if (!length)
		return -TACT_EAGAIN;
	if (ring->whole)
		peek(ring, &length, TACT_BUFFER_MESSAGE_HEADER);
	if (length > bytes) {
		if (ring->whole && data)
			return -TACT_EMSGSIZE;
		length = ring->whole ? length : bytes;
	}
	if (data)
		peek_at(ring, offset, data, length);
	return (int)length;
}

static void drop_message(struct nuc_buffer_ring *ring)
{
	uint32_t length;

	peek(ring, &length, TACT_BUFFER_MESSAGE_HEADER);
	take(ring, NULL, TACT_BUFFER_MESSAGE_HEADER + length);
	ring->messages--;
}

bool nuc_buffer_ring_make_room(struct nuc_buffer_ring *ring, uint32_t bytes)
{
	const uint32_t before = ring->used;

	if (ring->whole)
		while (ring->size - ring->used < bytes + TACT_BUFFER_MESSAGE_HEADER)
			drop_message(ring);
	else if (ring->size - ring->used < bytes)
		take(ring, NULL, bytes - (ring->size - ring->used));
	return ring->used != before;
}

uint32_t nuc_buffer_ring_clear(struct nuc_buffer_ring *ring)
{
	uint32_t dropped = ring->used;

	ring->head = 0;
	ring->used = 0;
	ring->messages = 0;
	return dropped;
}
