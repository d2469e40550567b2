/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Byte ring. Invariant: 0 <= head - tail <= size, modulo 2^32; each side checks it on what the
 * other one has published before it uses it, and takes the size from its private view, never again
 * from the shared memory. Barriers come in two pairs: data:  the producer's release of head with
 * the consumer's acquire of head: bytes are complete; space: the consumer's release of tail with
 * the producer's acquire of tail: bytes are copied out.
 */
#include "base/ring.h"

#include "base/error.h"
#include "base/string.h"

#define ALIGN 64

_Static_assert(sizeof(struct base_ring_header) == 3 * ALIGN, "shared between processes");
_Static_assert(offsetof(struct base_ring_header, head) == ALIGN, "shared between processes");
_Static_assert(offsetof(struct base_ring_header, tail) == 2 * ALIGN, "shared between processes");
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a lock would not be shared between processes");

static bool size_is_valid(uint32_t size)
{
	return size >= BASE_RING_SIZE_MIN && size <= BASE_RING_SIZE_MAX && !(size & (size - 1));
}

int base_ring_create(struct base_ring *ring, void *memory, uint32_t size)
{
	struct base_ring_header *header = memory;

	if (!memory || (uintptr_t)memory % ALIGN || !size_is_valid(size))
		return -TACT_EINVAL;
	base_fill(header, 0, sizeof(*header));
	header->magic = BASE_RING_MAGIC;
	header->size = size;
	ring->header = header;
	ring->data = (unsigned char *)(header + 1);
	ring->size = size;
	return 0;
}

int base_ring_attach(struct base_ring *ring, void *memory, size_t bytes)
{
	struct base_ring_header *header = memory;
	uint32_t size;

	if (!memory || (uintptr_t)memory % ALIGN)
		return -TACT_EINVAL;
	if (bytes < sizeof(*header) || header->magic != BASE_RING_MAGIC)
		return -TACT_EPROTO;
	/* Read once: the peer may change it between the check and the use. */
	size = __atomic_load_n(&header->size, __ATOMIC_RELAXED);
	if (!size_is_valid(size) || size > bytes - sizeof(*header))
		return -TACT_EPROTO;
	ring->header = header;
	ring->data = (unsigned char *)(header + 1);
	ring->size = size;
	return 0;
}

/* Consumer's view: its own tail, and how many bytes lie behind it. */
static int64_t used(const struct base_ring *ring, uint32_t *tail)
{
	/* Acquire: pairs with the release of head in publish_head(). */
	uint32_t head = atomic_load_explicit(&ring->header->head, memory_order_acquire);
	uint32_t count;

	*tail = atomic_load_explicit(&ring->header->tail, memory_order_relaxed);
	count = head - *tail;
	return count <= ring->size ? (int64_t)count : -TACT_EPROTO;
}

/* Producer's view: its own head, and how many bytes may follow it. */
static int64_t room(const struct base_ring *ring, uint32_t *head)
{
	/* Acquire: pairs with the release of tail in publish_tail(). */
	uint32_t tail = atomic_load_explicit(&ring->header->tail, memory_order_acquire);
	uint32_t count;

	*head = atomic_load_explicit(&ring->header->head, memory_order_relaxed);
	count = *head - tail;
	return count <= ring->size ? (int64_t)(ring->size - count) : -TACT_EPROTO;
}

static void publish_head(struct base_ring *ring, uint32_t head)
{
	/* Release: pairs with the acquire of head in used(). */
	atomic_store_explicit(&ring->header->head, head, memory_order_release);
}

static void publish_tail(struct base_ring *ring, uint32_t tail)
{
	/* Release: pairs with the acquire of tail in room(). */
	atomic_store_explicit(&ring->header->tail, tail, memory_order_release);
}

static void copy_in(struct base_ring *ring, uint32_t offset, const void *bytes, uint32_t count)
{
	uint32_t place = offset & (ring->size - 1);
	uint32_t part = ring->size - place < count ? ring->size - place : count;

	base_copy(ring->data + place, bytes, part);
	base_copy(ring->data, (const unsigned char *)bytes + part, count - part);
}

static void copy_out(const struct base_ring *ring, uint32_t offset, void *bytes, uint32_t count)
{
	uint32_t place = offset & (ring->size - 1);
	uint32_t part = ring->size - place < count ? ring->size - place : count;

	base_copy(bytes, ring->data + place, part);
	base_copy((unsigned char *)bytes + part, ring->data, count - part);
}

int64_t base_ring_readable(const struct base_ring *ring)
{
	uint32_t tail;

	return used(ring, &tail);
}

int64_t base_ring_writable(const struct base_ring *ring)
{
	uint32_t head;

	return room(ring, &head);
}

int64_t base_ring_write(struct base_ring *ring, const void *bytes, size_t count)
{
	uint32_t head;
	int64_t space = room(ring, &head);

	if (space < 0)
		return space;
	if ((uint64_t)space < count)
		count = (size_t)space;
	if (count) {
		copy_in(ring, head, bytes, (uint32_t)count);
		publish_head(ring, head + (uint32_t)count);
	}
	return (int64_t)count;
}

int64_t base_ring_read(struct base_ring *ring, void *bytes, size_t size)
{
	uint32_t tail;
	int64_t count = used(ring, &tail);

	if (count < 0)
		return count;
	if ((uint64_t)count > size)
		count = (int64_t)size;
	if (count) {
		copy_out(ring, tail, bytes, (uint32_t)count);
		publish_tail(ring, tail + (uint32_t)count);
	}
	return count;
}

int base_ring_write_record(struct base_ring *ring, const void *bytes, size_t count)
{
	uint32_t length = (uint32_t)count;
	uint32_t head;
	int64_t space;

	if (count > ring->size - BASE_RING_RECORD_HEADER)
		return -TACT_EMSGSIZE;
	space = room(ring, &head);
	if (space < 0)
		return (int)space;
	if (space < (int64_t)length + BASE_RING_RECORD_HEADER)
		return -TACT_EAGAIN;
	copy_in(ring, head, &length, BASE_RING_RECORD_HEADER);
	copy_in(ring, head + BASE_RING_RECORD_HEADER, bytes, length);
	publish_head(ring, head + BASE_RING_RECORD_HEADER + length);
	return 0;
}

/* Length of the oldest record, all of it there; a producer of this file publishes whole records. */
static int64_t first_record(const struct base_ring *ring, uint32_t *tail)
{
	int64_t count = used(ring, tail);
	uint32_t length;

	if (count < 0)
		return count;
	if (!count)
		return -TACT_EAGAIN;
	if (count < BASE_RING_RECORD_HEADER)
		return -TACT_EPROTO;
	copy_out(ring, *tail, &length, BASE_RING_RECORD_HEADER);
	if ((int64_t)length > count - BASE_RING_RECORD_HEADER)
		return -TACT_EPROTO;
	return length;
}

int64_t base_ring_peek_record(const struct base_ring *ring)
{
	uint32_t tail;

	return first_record(ring, &tail);
}

int64_t base_ring_read_record(struct base_ring *ring, void *bytes, size_t size)
{
	uint32_t tail;
	int64_t length = first_record(ring, &tail);

	if (length < 0)
		return length;
	if ((uint64_t)length > size)
		return -TACT_EMSGSIZE;
	copy_out(ring, tail + BASE_RING_RECORD_HEADER, bytes, (uint32_t)length);
	publish_tail(ring, tail + BASE_RING_RECORD_HEADER + (uint32_t)length);
	return length;
}
