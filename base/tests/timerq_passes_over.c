/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finding the next wanted timer: exact while few are passed over, never late when the looks are
 * used up. Compared with a plain scan over random queues.
 */
#include "base/timerq.h"
#include "check.h"

#define TIMERS 300

static _Alignas(64) unsigned char storage[1 << 18];
static size_t storage_used;
static struct base_timer timer[TIMERS];
static uint64_t state = 42;

static void *chunk_alloc(void *context, size_t bytes)
{
	unsigned char *chunk = storage + storage_used;

	(void)context;
	storage_used += bytes;
	return chunk;
}

static uint64_t draw(uint64_t below)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (state >> 33) % below;
}

static bool wanted(const struct base_timer *candidate, const void *context)
{
	return (uint64_t)(candidate - timer) % 10 < *(const uint64_t *)context;
}

/* The first wanted deadline, and how many unwanted timers come before it. */
static uint64_t scan(uint64_t share, unsigned *before)
{
	uint64_t best = UINT64_MAX;

	*before = 0;
	for (int i = 0; i < TIMERS; i++)
		if (base_timer_armed(&timer[i]) && wanted(&timer[i], &share) &&
		    timer[i].deadline_ns < best)
			best = timer[i].deadline_ns;
	for (int i = 0; i < TIMERS; i++)
		if (base_timer_armed(&timer[i]) && timer[i].deadline_ns < best)
			++*before;
	return best;
}

int main(void)
{
	struct base_timerq queue;
	unsigned exact = 0;
	unsigned bounded = 0;

	base_timerq_init(&queue, chunk_alloc, NULL);
	for (int i = 0; i < TIMERS; i++) {
		expect("reserve", 0, base_timerq_reserve(&queue));
		base_timer_init(&timer[i]);
	}
	for (int round = 0; round < 20000; round++) {
		uint64_t share = draw(11);
		struct base_timer *victim = &timer[draw(TIMERS)];
		unsigned before;
		uint64_t expected;
		uint64_t actual;

		if (draw(3))
			(void)base_timerq_arm(&queue, victim, draw(1000000));
		else
			(void)base_timerq_cancel(&queue, victim);
		expected = scan(share, &before);
		actual = base_timerq_next_wanted_ns(&queue, wanted, &share);
		if (before < BASE_TIMERQ_LOOKS) {
			expect("exact", (int64_t)expected, (int64_t)actual);
			exact++;
		} else {
			expect("not late", 1, actual <= expected);
			bounded++;
		}
	}
	expect("both cases were seen", 1, exact > 1000 && bounded > 1000);
	return 0;
}
