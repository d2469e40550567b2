/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A ring of texts. Each is in one piece, so that it can be formatted in the place where it will be
 * read. There is one producer at a time, the owner of `busy`, and one consumer. An entry begins at
 * a multiple of its alignment. Unused space at the end is marked by an entry; if no entry fits
 * there, both sides skip it anyway.
 */
#include "print_ring.h"

static _Atomic uint64_t sequence;

static uint32_t whole(size_t bytes)
{
	size_t all = sizeof(struct print_entry) + bytes;

	return (uint32_t)((all + 7) & ~(size_t)7);
}

static struct print_entry *entry_at(const struct print_ring *ring, uint32_t place)
{
	return (struct print_entry *)(void *)(ring->bytes + (place & (ring->size - 1)));
}

static uint32_t to_end(const struct print_ring *ring, uint32_t place)
{
	return ring->size - (place & (ring->size - 1));
}

/* Try to put the text at one place, with so many bytes. Returns the length, or -1. */
static int put_at(struct print_ring *ring, uint32_t place, uint32_t bytes,
		  const struct print_entry *what, print_text_fn *text, void *arg)
{
	struct print_entry *entry = entry_at(ring, place);
	size_t room;
	size_t length;

	if (bytes <= sizeof(*entry))
		return -1;
	room = bytes - sizeof(*entry);
	length = text((char *)(entry + 1), room, arg);
	if (length > room)
		return -1;
	*entry = *what;
	entry->bytes = (uint32_t)length;
	entry->skip = 0;
	entry->sequence = atomic_fetch_add_explicit(&sequence, 1, memory_order_relaxed);
	/* Release: pairs with the acquire of print_ring_first(). */
	atomic_store_explicit(&ring->head, place + whole(length), memory_order_release);
	return (int)length;
}

int print_ring_put(struct print_ring *ring, const struct print_entry *what, print_text_fn *text,
		   void *arg)
{
	uint32_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	/* Acquire: what is before the tail has been read. Pairs with print_ring_drop(). */
	uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
	uint32_t room = ring->size - (head - tail);
	uint32_t end = to_end(ring, head);
	int length = put_at(ring, head, room < end ? room : end, what, text, arg);

	if (length >= 0 || room <= end)
		return length;
	/* The consumer sees this mark when it sees the head, and so the entry behind the gap. */
	if (end >= sizeof(struct print_entry))
		entry_at(ring, head)->skip = 1;
	return put_at(ring, head + end, room - end, what, text, arg);
}

const struct print_entry *print_ring_first(struct print_ring *ring)
{
	for (;;) {
		uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
		uint32_t end = to_end(ring, tail);

		if (atomic_load_explicit(&ring->head, memory_order_acquire) == tail)
			return NULL;
		if (end >= sizeof(struct print_entry) && !entry_at(ring, tail)->skip)
			return entry_at(ring, tail);
		atomic_store_explicit(&ring->tail, tail + end, memory_order_release);
	}
}

void print_ring_drop(struct print_ring *ring)
{
	uint32_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

	atomic_store_explicit(&ring->tail, tail + whole(entry_at(ring, tail)->bytes),
			      memory_order_release);
}
