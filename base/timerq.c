/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timer queue: an 8-ary heap in chunks that never move. Invariants: no entry precedes its parent,
 * and each armed timer's position is the index of its entry.
 *
 * Why eight, and deadlines apart from timers: with a million timers a cancel waits for memory, and
 * each branch mispredicted on a late load costs that wait again. Seven of eight victims are leaves,
 * which need one comparison, with a parent among 1 MiB of deadlines that stay in the second cache.
 */
#include "base/timerq.h"

#include "base/error.h"
#include "timerq_layout.h"

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
