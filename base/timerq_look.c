/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Looking through the timer queue without changing it: in order of expiry, as far as a caller's
 * question goes, and as a whole, for tests.
 */
#include "base/timerq.h"

#include "timerq_layout.h"

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
