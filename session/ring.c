/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring in memory. */
#define _GNU_SOURCE
#include "ring.h"

#include <sys/mman.h>

#include "sealed.h"

_Static_assert(sizeof(struct ring) < RING_BYTES / 2, "most of a ring is data");

struct ring *ring_make(int *file)
{
	struct ring *ring = sealed_make("tactus ring", RING_BYTES, file);

	if (ring)
		atomic_store(&ring->caller_vector, SESSION_NO_VECTOR);
	return ring;
}

struct ring *ring_map(int file)
{
	return sealed_map(file, RING_BYTES);
}

void ring_unmap(struct ring *ring)
{
	(void)munmap(ring, RING_BYTES);
}

bool ring_may_post(const struct ring *ring)
{
	uint32_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);

	return put - atomic_load(&ring->taken) < RING_REQUESTS - 1;
}

bool ring_put(struct ring *ring, const struct ring_request *request)
{
	uint32_t put = atomic_load_explicit(&ring->put, memory_order_relaxed);
	uint32_t waits = RING_OWNER_WAITS;

	ring->requests[put % RING_REQUESTS] = *request;
	atomic_store(&ring->put, put + 1);
	return atomic_load(&ring->owner_waits) == waits &&
	       atomic_compare_exchange_strong(&ring->owner_waits, &waits, RING_OWNER_TOLD);
}

bool ring_take(struct ring *ring, struct ring_request *request)
{
	uint32_t taken = atomic_load_explicit(&ring->taken, memory_order_relaxed);

	if (atomic_load(&ring->put) == taken)
		return false;
	*request = ring->requests[taken % RING_REQUESTS];
	atomic_store(&ring->taken, taken + 1);
	return true;
}

void ring_tell(struct ring *ring)
{
	atomic_fetch_add(&ring->news, 1);
	if (atomic_load(&ring->caller_waits) == RING_IN_LINUX)
		tact_wake_shared((uint32_t *)&ring->news);
}
