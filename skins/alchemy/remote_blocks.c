/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blocks of this process's memory that other processes hold. */
#include "remote.h"

#include <pthread.h>
#include <stdlib.h>

#include <alchemy/queue.h>

struct remote_block {
	uint64_t peer;
	uint64_t object;
	uint64_t offset;
	uint64_t stamp;
	enum alchemy_type type;
};

/* A lock of Linux, because its users serve calls of other processes, which are not urgent. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct remote_block *list;
static size_t used;
static size_t capacity;

static bool enlarge(void)
{
	size_t more = capacity ? 2 * capacity : 64;
	struct remote_block *larger = realloc(list, more * sizeof(*list));

	if (!larger)
		return false;
	list = larger;
	capacity = more;
	return true;
}

int alchemy_remote_block_add(uint64_t peer, enum alchemy_type type, uint64_t object,
			     uint64_t offset, uint64_t stamp)
{
	int error = 0;

	pthread_mutex_lock(&lock);
	if (used < capacity || enlarge())
		list[used++] = (struct remote_block){peer, object, offset, stamp, type};
	else
		error = -ENOMEM;
	pthread_mutex_unlock(&lock);
	return error;
}

/* The peer's own hold of a block, or else the hold of another peer; `used`: there is none. */
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

void alchemy_remote_block_remove(uint64_t peer, uint64_t object, uint64_t offset)
{
	size_t i;

	pthread_mutex_lock(&lock);
	i = find(peer, object, offset);
	if (i < used)
		list[i] = list[--used];
	pthread_mutex_unlock(&lock);
}

/* Take a block that this peer holds off the list. */
static bool take_one(uint64_t peer, struct remote_block *remote_block)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (size_t i = 0; i < used && !found; i++)
		if (list[i].peer == peer) {
			*remote_block = list[i];
			list[i] = list[--used];
			found = true;
		}
	pthread_mutex_unlock(&lock);
	return found;
}

static void give_back(const struct remote_block *remote_block)
{
	RT_QUEUE queue = {.handle = (uintptr_t)remote_block->object};
	const struct session_memory *memory;

	if (remote_block->type == ALCHEMY_HEAP) {
		alchemy_heap_reclaim(remote_block->object, remote_block->offset,
				     remote_block->stamp);
		return;
	}
	memory = alchemy_queue_memory(remote_block->object);
	if (memory)
		(void)rt_queue_free(&queue, memory->base + remote_block->offset);
}

void alchemy_left(uint64_t peer)
{
	struct remote_block remote_block;

	while (take_one(peer, &remote_block))
		give_back(&remote_block);
}
