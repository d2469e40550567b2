/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The ring in memory. */
#define _GNU_SOURCE
#include "ring.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define SEALS (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL)

_Static_assert(sizeof(struct ring) < RING_BYTES / 2, "most of a ring is data");

static struct ring *map(int file)
{
	void *ring =
		mmap(NULL, RING_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);

	if (ring == MAP_FAILED)
		return NULL;
	/* Without the right to lock it stays where it is as long as there is memory. */
	(void)mlock(ring, RING_BYTES);
	return ring;
}

struct ring *ring_make(uint32_t caller_vector, int *file)
{
	struct ring *ring = NULL;

	*file = memfd_create("tactus ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*file < 0)
		return NULL;
	if (!ftruncate(*file, RING_BYTES) && !fcntl(*file, F_ADD_SEALS, SEALS))
		ring = map(*file);
	if (!ring) {
		close(*file);
		return NULL;
	}
	ring->caller_vector = caller_vector;
	return ring;
}

struct ring *ring_map(int file)
{
	int seals = fcntl(file, F_GET_SEALS);

	if (seals < 0 || (seals & SEALS) != SEALS || lseek(file, 0, SEEK_END) != RING_BYTES)
		return NULL;
	return map(file);
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
