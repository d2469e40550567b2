/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which blocks of this process's memory the tasks of which other process hold. */
#include "between.h"

#include <pthread.h>
#include <stdlib.h>

#include <alchemy/queue.h>

struct held {
	uint64_t peer;
	uint64_t object;
	uint64_t offset;
	uint64_t stamp;
	enum alchemy_type type;
};

/* Of Linux: whoever takes it is in a call of another process, which is no matter of microseconds.
 */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct held *list;
static size_t used;
static size_t capacity;

static bool enlarge(void)
{
	size_t more = capacity ? 2 * capacity : 64;
	struct held *larger = realloc(list, more * sizeof(*list));

	if (!larger)
		return false;
	list = larger;
	capacity = more;
	return true;
}

int alchemy_hold(uint64_t peer, enum alchemy_type type, uint64_t object, uint64_t offset,
		 uint64_t stamp)
{
	int error = 0;

	pthread_mutex_lock(&lock);
	if (used < capacity || enlarge())
		list[used++] = (struct held){peer, object, offset, stamp, type};
	else
		error = -ENOMEM;
	pthread_mutex_unlock(&lock);
	return error;
}

/* The peer's own hold of a block, or else one of another's; `used`: there is none. */
static size_t find(uint64_t peer, uint64_t object, uint64_t offset)
{
	size_t found = used;

	for (size_t i = 0; i < used; i++) {
		if (list[i].object != object || list[i].offset != offset)
			continue;
		found = i;
		if (list[i].peer == peer)
			break;
	}
	return found;
}

void alchemy_unhold(uint64_t peer, uint64_t object, uint64_t offset)
{
	size_t i;

	pthread_mutex_lock(&lock);
	i = find(peer, object, offset);
	if (i < used)
		list[i] = list[--used];
	pthread_mutex_unlock(&lock);
}

/* One of those of a peer, taken off the list. */
static bool take_one(uint64_t peer, struct held *held)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < used && !found; i++)
		if (list[i].peer == peer) {
			*held = list[i];
			list[i] = list[--used];
			found = true;
		}
	pthread_mutex_unlock(&lock);
	return found;
}

static void give_back(const struct held *held)
{
	RT_QUEUE queue = {.handle = (uintptr_t)held->object};
	const struct session_memory *memory;

	if (held->type == ALCHEMY_HEAP) {
		alchemy_heap_reclaim(held->object, held->offset, held->stamp);
		return;
	}
	memory = alchemy_queue_memory(held->object);
	if (memory)
		(void)rt_queue_free(&queue, memory->base + held->offset);
}

void alchemy_left(uint64_t peer)
{
	struct held held;

	while (take_one(peer, &held))
		give_back(&held);
}
