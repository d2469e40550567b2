/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timer queue: an 8-ary heap in chunks that never move. Invariants: no entry precedes its parent,
 * and each armed timer's position is the index of its entry. With the root at index 7 the children
 * of i are 8(i-6) .. 8(i-6)+7: an aligned group, whose deadlines are one cache line.
 *
 * Why eight, and deadlines apart from timers: with a million timers a cancel waits for memory, and
 * each branch mispredicted on a late load costs that wait again. Seven of eight victims are leaves,
 * which need one comparison, with a parent among 1 MiB of deadlines that stay in the second cache.
 */
#include "base/timerq.h"

#include "base/error.h"

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

/*
 * Puts entry into the hole at index or above it, wherever its parent does not come later. Returns
 * where.
 */
static inline uint32_t sift_up(struct base_timerq *queue, uint32_t index, struct entry entry)
{
	struct slot hole = slot_at(queue, index);

	while (index != ROOT) {
		uint32_t up = parent_of(index);
		struct slot parent = slot_at(queue, up);

		if (!precedes(&entry, parent))
			break;
		put(hole, index, (struct entry){*parent.deadline_ns, *parent.timer});
		hole = parent;
		index = up;
	}
	put(hole, index, entry);
	return index;
}

/* The earliest of count siblings; among equal deadlines the one armed first. */
static inline uint32_t earliest(struct slot group, uint32_t count)
{
	const uint64_t *deadline_ns = group.deadline_ns;
	uint64_t least_ns = deadline_ns[0];
	uint32_t best = 0;
	uint32_t equals = 0;

	/* Selected without branches: random deadlines would mispredict them. */
	for (uint32_t i = 1; i < count; i++) {
		bool less = deadline_ns[i] < least_ns;

		equals = less ? 0 : equals + (deadline_ns[i] == least_ns);
		best = less ? i : best;
		least_ns = less ? deadline_ns[i] : least_ns;
	}
	if (__builtin_expect(equals != 0, 0))
		for (uint32_t i = best + 1; i < count; i++)
			if (deadline_ns[i] == least_ns &&
			    group.timer[i]->sequence < group.timer[best]->sequence)
				best = i;
	return best;
}

/*
 * Puts entry into the hole at index or below it, wherever no child comes earlier. Not inline, as
 * the leaves, seven of eight holes, do without it.
 */
static void __attribute__((noinline))
sift_down(struct base_timerq *queue, uint32_t index, struct entry entry)
{
	struct slot hole = slot_at(queue, index);
	uint32_t end = end_of(queue);

	for (;;) {
		uint32_t first = children_of(index);
		struct slot child;
		uint32_t best;

		if (first >= end)
			break;
		child = slot_at(queue, first);
		if (__builtin_expect(first + FAN_OUT <= end, 1))
			best = earliest(child, FAN_OUT);
		else
			best = earliest(child, end - first);
		child.deadline_ns += best;
		child.timer += best;
		if (precedes(&entry, child))
			break;
		put(hole, index, (struct entry){*child.deadline_ns, *child.timer});
		hole = child;
		index = first + best;
	}
	put(hole, index, entry);
}

static void __attribute__((noinline))
sift_up_late(struct base_timerq *queue, uint32_t index, struct entry entry)
{
	sift_up(queue, index, entry);
}

static inline void sift(struct base_timerq *queue, uint32_t index, struct entry entry)
{
	if (index != ROOT && precedes(&entry, slot_at(queue, parent_of(index))))
		sift_up_late(queue, index, entry);
	else if (children_of(index) < end_of(queue))
		sift_down(queue, index, entry);
	else
		put(slot_at(queue, index), index, entry);
}

void base_timerq_init(struct base_timerq *queue, void *(*chunk_alloc)(void *context, size_t bytes),
		      void *context)
{
	for (unsigned i = 0; i < BASE_TIMERQ_CHUNKS; i++) {
		queue->deadlines[i] = 0;
		queue->timers[i] = 0;
	}
	queue->chunks = 0;
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
		uint32_t first = queue->capacity;
		uint32_t entries = first ? first : (uint32_t)BASE_TIMERQ_FIRST_ENTRIES;
		void *memory;

		if (queue->chunks == BASE_TIMERQ_CHUNKS)
			return -TACT_ENOMEM;
		memory = queue->chunk_alloc(queue->chunk_context,
					    entries * (sizeof(uint64_t) + sizeof(void *)));
		if (!memory || (uintptr_t)memory % BASE_TIMERQ_CHUNK_ALIGN)
			return -TACT_ENOMEM;
		queue->deadlines[queue->chunks] = (uintptr_t)memory - first * sizeof(uint64_t);
		queue->timers[queue->chunks] =
			(uintptr_t)memory + entries * sizeof(uint64_t) - first * sizeof(void *);
		queue->chunks++;
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
	struct entry entry = {.deadline_ns = deadline_ns, .timer = timer};
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
	return sift_up(queue, index, entry) == ROOT;
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
		sift(queue, index, entry_at(queue, last));
	return index == ROOT;
}

/* Timers not looked at yet whose parents have been: the next in order is among them. */
struct frontier {
	uint32_t index[(FAN_OUT - 1) * BASE_TIMERQ_LOOKS + 1];
	uint32_t count;
};

static uint32_t frontier_take_first(const struct base_timerq *queue, struct frontier *frontier)
{
	uint32_t best = 0;
	uint32_t index;

	for (uint32_t i = 1; i < frontier->count; i++) {
		struct entry entry = entry_at(queue, frontier->index[i]);

		if (precedes(&entry, slot_at(queue, frontier->index[best])))
			best = i;
	}
	index = frontier->index[best];
	frontier->index[best] = frontier->index[--frontier->count];
	return index;
}

uint64_t base_timerq_next_wanted_ns(const struct base_timerq *queue,
				    bool (*wanted)(const struct base_timer *timer,
						   const void *context),
				    const void *context)
{
	struct frontier frontier = {.index = {ROOT}, .count = queue->count != 0};

	for (uint32_t looks = 0; frontier.count; looks++) {
		uint32_t index = frontier_take_first(queue, &frontier);
		struct entry entry = entry_at(queue, index);
		uint32_t child = children_of(index);

		if (looks == BASE_TIMERQ_LOOKS || wanted(entry.timer, context))
			return entry.deadline_ns;
		for (uint32_t i = 0; i < FAN_OUT && child + i < end_of(queue); i++)
			frontier.index[frontier.count++] = child + i;
	}
	return UINT64_MAX;
}

bool base_timerq_check(const struct base_timerq *queue)
{
	if (queue->count > queue->reserved ||
	    (queue->reserved && ROOT + queue->reserved > queue->capacity))
		return false;
	for (uint32_t i = ROOT; i < end_of(queue); i++) {
		struct entry entry = entry_at(queue, i);

		if (entry.timer->position != i || entry.timer->deadline_ns != entry.deadline_ns)
			return false;
		if (i != ROOT && precedes(&entry, slot_at(queue, parent_of(i))))
			return false;
	}
	return true;
}
