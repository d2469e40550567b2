/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timer queue: a 4-ary heap in chunks that never move. Invariants: no entry precedes its parent,
 * and each armed timer's position is the index of its entry. With the root at index 3 the children
 * of i are 4(i-2) .. 4(i-2)+3: an aligned group, one cache line of 16-byte entries.
 */
#include "base/timerq.h"

#include "base/error.h"

_Static_assert(sizeof(struct base_timerq_entry) == 16, "four siblings fill one cache line");
_Static_assert((BASE_TIMERQ_FIRST_ENTRIES & (BASE_TIMERQ_FIRST_ENTRIES - 1)) == 0,
	       "the chunk is found by the index's highest bit");

#define FIRST_SHIFT 6
#define ROOT        BASE_TIMERQ_ROOT

/* Chunk 0 holds the indices below 64, chunk k those from 64 << (k-1) on: the highest bit tells. */
static inline struct base_timerq_entry *entry_at(const struct base_timerq *queue, uint32_t index)
{
	unsigned high = 31u - (unsigned)__builtin_clz(index | (BASE_TIMERQ_FIRST_ENTRIES / 2));
	unsigned chunk = high - (FIRST_SHIFT - 1);
	uint32_t first = (UINT32_C(1) << high) & ~(uint32_t)(BASE_TIMERQ_FIRST_ENTRIES / 2);

	return &queue->chunk[chunk][index - first];
}

static inline uint32_t parent_of(uint32_t index)
{
	return index / 4 + 2;
}

static inline uint32_t children_of(uint32_t index)
{
	return 4 * (index - 2);
}

/* One past the last entry in use. */
static inline uint32_t end_of(const struct base_timerq *queue)
{
	return ROOT + queue->count;
}

/* The timers themselves, and so their cache lines, are touched only when deadlines are equal. */
static inline bool precedes(const struct base_timerq_entry *a, const struct base_timerq_entry *b)
{
	if (__builtin_expect(a->deadline_ns == b->deadline_ns, 0))
		return a->timer->sequence < b->timer->sequence;
	return a->deadline_ns < b->deadline_ns;
}

static inline void put(struct base_timerq_entry *where, uint32_t index,
		       struct base_timerq_entry entry)
{
	*where = entry;
	entry.timer->position = index;
}

/* Puts entry into the hole at index or above it, wherever its parent does not come later. */
static void sift_up(struct base_timerq *queue, uint32_t index, struct base_timerq_entry entry)
{
	struct base_timerq_entry *hole = entry_at(queue, index);

	while (index != ROOT) {
		uint32_t up = parent_of(index);
		struct base_timerq_entry *parent = entry_at(queue, up);

		if (!precedes(&entry, parent))
			break;
		put(hole, index, *parent);
		hole = parent;
		index = up;
	}
	put(hole, index, entry);
}

/* Puts entry into the hole at index or below it, wherever no child comes earlier. */
static void sift_down(struct base_timerq *queue, uint32_t index, struct base_timerq_entry entry)
{
	struct base_timerq_entry *hole = entry_at(queue, index);
	uint32_t end = end_of(queue);

	for (;;) {
		uint32_t first = children_of(index);
		uint32_t best = 0;
		struct base_timerq_entry *child;

		if (first >= end)
			break;
		child = entry_at(queue, first);
		if (first + 4 <= end) {
			uint32_t right = 2 + precedes(&child[3], &child[2]);

			best = precedes(&child[1], &child[0]);
			best = precedes(&child[right], &child[best]) ? right : best;
		} else {
			for (uint32_t i = 1; i < end - first; i++)
				best = precedes(&child[i], &child[best]) ? i : best;
		}
		child += best;
		if (!precedes(child, &entry))
			break;
		put(hole, index, *child);
		hole = child;
		index = first + best;
	}
	put(hole, index, entry);
}

static void sift(struct base_timerq *queue, uint32_t index, struct base_timerq_entry entry)
{
	if (index != ROOT && precedes(&entry, entry_at(queue, parent_of(index))))
		sift_up(queue, index, entry);
	else
		sift_down(queue, index, entry);
}

void base_timerq_init(struct base_timerq *queue, void *(*chunk_alloc)(void *context, size_t bytes),
		      void *context)
{
	for (unsigned i = 0; i < BASE_TIMERQ_CHUNKS; i++)
		queue->chunk[i] = NULL;
	queue->sequence = 0;
	queue->count = 0;
	queue->reserved = 0;
	queue->capacity = 0;
	queue->chunk_alloc = chunk_alloc;
	queue->chunk_context = context;
}

int base_timerq_reserve(struct base_timerq *queue)
{
	if (ROOT + queue->reserved >= queue->capacity) {
		uint32_t entries =
			queue->capacity ? queue->capacity : (uint32_t)BASE_TIMERQ_FIRST_ENTRIES;
		unsigned chunk = 0;
		void *memory;

		while (chunk < BASE_TIMERQ_CHUNKS && queue->chunk[chunk])
			chunk++;
		if (chunk == BASE_TIMERQ_CHUNKS)
			return -TACT_ENOMEM;
		memory = queue->chunk_alloc(queue->chunk_context,
					    entries * sizeof(struct base_timerq_entry));
		if (!memory || (uintptr_t)memory % BASE_TIMERQ_CHUNK_ALIGN)
			return -TACT_ENOMEM;
		queue->chunk[chunk] = memory;
		queue->capacity += entries;
	}
	queue->reserved++;
	return 0;
}

void base_timerq_unreserve(struct base_timerq *queue)
{
	if (queue->reserved <= queue->count)
		__builtin_trap(); /* an armed timer would lose its place */
	queue->reserved--;
}

bool base_timerq_arm(struct base_timerq *queue, struct base_timer *timer, uint64_t deadline_ns)
{
	struct base_timerq_entry entry = {.deadline_ns = deadline_ns, .timer = timer};
	uint32_t index = timer->position;

	timer->deadline_ns = deadline_ns;
	timer->sequence = ++queue->sequence;
	if (index) {
		bool was_head = index == ROOT;

		sift(queue, index, entry);
		return was_head || timer->position == ROOT;
	}
	if (__builtin_expect(queue->count >= queue->reserved, 0))
		__builtin_trap(); /* armed without a reservation */
	index = end_of(queue);
	queue->count++;
	sift_up(queue, index, entry);
	return timer->position == ROOT;
}

bool base_timerq_cancel(struct base_timerq *queue, struct base_timer *timer)
{
	uint32_t index = timer->position;
	uint32_t last;

	if (!index)
		return false;
	timer->position = 0;
	queue->count--;
	last = end_of(queue);
	if (index != last)
		sift(queue, index, *entry_at(queue, last));
	return index == ROOT;
}

bool base_timerq_check(const struct base_timerq *queue)
{
	if (queue->count > queue->reserved ||
	    (queue->reserved && ROOT + queue->reserved > queue->capacity))
		return false;
	for (uint32_t i = ROOT; i < end_of(queue); i++) {
		const struct base_timerq_entry *entry = entry_at(queue, i);

		if (entry->timer->position != i || entry->timer->deadline_ns != entry->deadline_ns)
			return false;
		if (i != ROOT && !precedes(entry_at(queue, parent_of(i)), entry))
			return false;
	}
	return true;
}
