/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Ring buffers. The bytes put and the bytes got are counted in one word each: only the task that
 * puts writes the first, only the task that gets writes the second, so one of each needs no lock.
 */
#include <rngLib.h>

#include <intLib.h>
#include <memPartLib.h>
#include <stdlib.h>
#include <string.h>

#include "vxworks_internal.h"

#define RING_MAGIC 0x676e7230u /* of a ring that exists */

struct ring {
	uint32_t magic;
	uint32_t bytes;       /* that it holds at most */
	_Atomic uint32_t put; /* next place, 0 … bytes: one place more than it holds */
	_Atomic uint32_t got;
	char data[];
};

static struct ring *find(RING_ID id)
{
	return id && id->magic == RING_MAGIC ? id : NULL;
}

static uint32_t places(const struct ring *ring)
{
	return ring->bytes + 1;
}

/* Acquire: pairs with the release of the other side, so that the bytes are there. */
static uint32_t held(const struct ring *ring)
{
	const uint32_t put = atomic_load_explicit(&ring->put, memory_order_acquire);
	const uint32_t got = atomic_load_explicit(&ring->got, memory_order_acquire);

	return put >= got ? put - got : put + places(ring) - got;
}

RING_ID rngCreate(int nbytes)
{
	struct ring *ring = NULL;

	if (vxworks_in_handler())
		return vxworks_no_id(S_intLib_NOT_ISR_CALLABLE);
	if (nbytes > 0)
		ring = calloc(1, sizeof(*ring) + (size_t)nbytes + 1);
	if (!ring)
		return vxworks_no_id(S_memLib_NOT_ENOUGH_MEMORY);
	ring->bytes = (uint32_t)nbytes;
	ring->magic = RING_MAGIC;
	return ring;
}

void rngDelete(RING_ID ringId)
{
	struct ring *ring = find(ringId);

	if (!ring || vxworks_in_handler())
		return;
	ring->magic = 0;
	free(ring);
}

void rngFlush(RING_ID ringId)
{
	struct ring *ring = find(ringId);

	if (!ring)
		return;
	atomic_store(&ring->put, 0);
	atomic_store(&ring->got, 0);
}

/* Copy in two parts, as the second one begins at the first place. */
int rngBufGet(RING_ID rngId, char *buffer, int maxbytes)
{
	struct ring *ring = find(rngId);
	uint32_t count, got, first;

	if (!ring || !buffer || maxbytes < 0)
		return 0;
	count = held(ring);
	if (count > (uint32_t)maxbytes)
		count = (uint32_t)maxbytes;
	got = atomic_load_explicit(&ring->got, memory_order_relaxed);
	first = count < places(ring) - got ? count : places(ring) - got;
	memcpy(buffer, ring->data + got, first);
	memcpy(buffer + first, ring->data, count - first);
	atomic_store_explicit(&ring->got, (got + count) % places(ring), memory_order_release);
	return (int)count;
}

int rngBufPut(RING_ID rngId, char *buffer, int nbytes)
{
	struct ring *ring = find(rngId);
	uint32_t count, put, first;

	if (!ring || !buffer || nbytes < 0)
		return 0;
	count = ring->bytes - held(ring);
	if (count > (uint32_t)nbytes)
		count = (uint32_t)nbytes;
	put = atomic_load_explicit(&ring->put, memory_order_relaxed);
	first = count < places(ring) - put ? count : places(ring) - put;
	memcpy(ring->data + put, buffer, first);
	memcpy(ring->data, buffer + first, count - first);
	atomic_store_explicit(&ring->put, (put + count) % places(ring), memory_order_release);
	return (int)count;
}

BOOL rngIsEmpty(RING_ID ringId)
{
	return rngNBytes(ringId) == 0;
}

BOOL rngIsFull(RING_ID ringId)
{
	return find(ringId) ? rngFreeBytes(ringId) == 0 : FALSE;
}

int rngFreeBytes(RING_ID ringId)
{
	const struct ring *ring = find(ringId);

	return ring ? (int)(ring->bytes - held(ring)) : 0;
}

int rngNBytes(RING_ID ringId)
{
	const struct ring *ring = find(ringId);

	return ring ? (int)held(ring) : 0;
}

void rngPutAhead(RING_ID ringId, char byte, int offset)
{
	struct ring *ring = find(ringId);

	if (ring && offset >= 0 && (uint32_t)offset < ring->bytes - held(ring))
		ring->data[(atomic_load(&ring->put) + (uint32_t)offset) % places(ring)] = byte;
}

void rngMoveAhead(RING_ID ringId, int n)
{
	struct ring *ring = find(ringId);

	if (ring && n >= 0 && (uint32_t)n <= ring->bytes - held(ring))
		atomic_store_explicit(&ring->put,
				      (atomic_load(&ring->put) + (uint32_t)n) % places(ring),
				      memory_order_release);
}
