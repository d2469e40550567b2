/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looking through the timer queue without changing it: in order of expiry, as far as a caller's
 * question goes, and as a whole, for tests.
 */
#include "base/timerq.h"

#include "timerq_layout.h"

#define MOST (BASE_TIMERQ_LOOKS + 1u)

/* Timers not looked at yet whose parents have been, in order, from `begin` to `end`: the next one
 * is the first of them. No more are kept than can still be looked at, or be the answer. */
struct frontier {
	struct entry entry[MOST];
	uint32_t index[MOST];
	uint32_t begin;
	uint32_t end;
};

static inline bool before(const struct entry *entry, struct entry *other)
{
	return precedes(entry, (struct slot){&other->deadline_ns, &other->timer});
}

static void frontier_add(struct frontier *frontier, struct entry entry, uint32_t index)
{
	uint32_t place = frontier->end;

	if (place == MOST) {
		if (!before(&entry, &frontier->entry[--place]))
			return;
	} else {
		frontier->end++;
	}
	for (; place > frontier->begin && before(&entry, &frontier->entry[place - 1]); place--) {
		frontier->entry[place] = frontier->entry[place - 1];
		frontier->index[place] = frontier->index[place - 1];
	}
	frontier->entry[place] = entry;
	frontier->index[place] = index;
}

/* What is later is of no use. */
static inline uint64_t limit_of(const struct frontier *frontier)
{
	return frontier->end < MOST ? UINT64_MAX : frontier->entry[MOST - 1].deadline_ns;
}

/* Siblings are beside one another: most are passed over by a look at their deadlines. */
static void frontier_add_children(struct frontier *frontier, const struct base_timerq *queue,
				  uint32_t first)
{
	const uint32_t end = end_of(queue);
	const uint32_t count = first >= end ? 0 : end - first < FAN_OUT ? end - first : FAN_OUT;
	const struct slot group = slot_at(queue, count ? first : ROOT);
	uint64_t limit_ns = limit_of(frontier);

	for (uint32_t i = 0; i < count; i++) {
		if (group.deadline_ns[i] > limit_ns)
			continue;
		frontier_add(frontier, (struct entry){group.deadline_ns[i], group.timer[i]},
			     first + i);
		limit_ns = limit_of(frontier);
	}
}

uint64_t base_timerq_next_wanted_ns(const struct base_timerq *queue,
				    bool (*wanted)(const struct base_timer *timer,
						   const void *context),
				    const void *context)
{
	struct frontier frontier;

	frontier.begin = 0;
	frontier.end = queue->count != 0;
	if (queue->count) {
		frontier.entry[0] = entry_at(queue, ROOT);
		frontier.index[0] = ROOT;
	}
	while (frontier.begin < frontier.end) {
		struct entry entry = frontier.entry[frontier.begin];
		uint32_t child = children_of(frontier.index[frontier.begin]);

		if (frontier.begin == BASE_TIMERQ_LOOKS || wanted(entry.timer, context))
			return entry.deadline_ns;
		frontier.begin++;
		frontier_add_children(&frontier, queue, child);
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
