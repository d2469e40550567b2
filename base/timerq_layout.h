/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Private to the timer queue: where its entries lie, and which comes first. With the root at index
 * 7 the children of i are 8(i-6) .. 8(i-6)+7: an aligned group, whose deadlines are one cache line.
 */
#ifndef TIMERQ_LAYOUT_H
#define TIMERQ_LAYOUT_H

#include "base/timerq.h"

#define FAN_OUT     8
#define FIRST_SHIFT 6
#define ROOT        BASE_TIMERQ_ROOT

_Static_assert(FAN_OUT * sizeof(uint64_t) == BASE_TIMERQ_CHUNK_ALIGN, "siblings fill a cache line");
_Static_assert(BASE_TIMERQ_FIRST_ENTRIES == 1 << FIRST_SHIFT, "the highest bit finds the chunk");

struct entry {
	uint64_t deadline_ns;
	struct base_timer *timer;
};

/* Where an entry is stored. */
struct slot {
	uint64_t *deadline_ns;
	struct base_timer **timer;
};

/*
 * Chunk 0 holds the indices below 64, chunk k those from 64 << (k-1) on: the highest bit tells. Few
 * instructions here are worth their trouble: the fewer a pair of arm and cancel takes, the more
 * pairs the processor overlaps while it waits for memory.
 */
static inline struct slot slot_at(const struct base_timerq *queue, uint32_t index)
{
	unsigned high = 31u ^ (unsigned)__builtin_clz(index | (BASE_TIMERQ_FIRST_ENTRIES / 2));
	unsigned chunk = high - (FIRST_SHIFT - 1);

	return (struct slot){
		(uint64_t *)(queue->deadlines[chunk] + index * sizeof(uint64_t)),
		(struct base_timer **)(queue->timers[chunk] + index * sizeof(void *)),
	};
}

static inline struct entry entry_at(const struct base_timerq *queue, uint32_t index)
{
	struct slot slot = slot_at(queue, index);

	return (struct entry){*slot.deadline_ns, *slot.timer};
}

static inline uint32_t parent_of(uint32_t index)
{
	return index / FAN_OUT + ROOT - 1;
}

static inline uint32_t children_of(uint32_t index)
{
	return FAN_OUT * (index - (ROOT - 1));
}

/* One past the last entry in use. */
static inline uint32_t end_of(const struct base_timerq *queue)
{
	return ROOT + queue->count;
}

static inline void put(struct slot slot, uint32_t index, struct entry entry)
{
	*slot.deadline_ns = entry.deadline_ns;
	*slot.timer = entry.timer;
	entry.timer->position = index;
}

/* The timers themselves, and so their cache lines, are touched only when deadlines are equal. */
static inline bool precedes(const struct entry *entry, struct slot other)
{
	if (__builtin_expect(entry->deadline_ns == *other.deadline_ns, 0))
		return entry->timer->sequence < (*other.timer)->sequence;
	return entry->deadline_ns < *other.deadline_ns;
}

#endif
