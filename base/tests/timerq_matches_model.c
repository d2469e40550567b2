/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random arming, moving, cancelling and expiring gives the order of a model that searches all
 * timers for the least (deadline, order of arming); few distinct deadlines make most of them equal.
 */
#include "base/timerq.h"
#include "check.h"

#define TIMERS 700
#define STEPS  60000

static struct base_timer timers[TIMERS];
static uint64_t model_deadline_ns[TIMERS];
static uint64_t model_order[TIMERS]; /* 0: idle */

static void *chunk_alloc(void *context, size_t bytes)
{
	/* One queue at a time: each run starts anew in the same storage. */
	static _Alignas(BASE_TIMERQ_CHUNK_ALIGN) unsigned char storage[2 * 1024 * 16];
	size_t *used = context;
	unsigned char *chunk = storage + *used;

	*used += bytes;
	return *used <= sizeof(storage) ? chunk : NULL;
}

static struct base_timer *model_head(void)
{
	int best = -1;

	for (int i = 0; i < TIMERS; i++) {
		if (!model_order[i])
			continue;
		if (best < 0 || model_deadline_ns[i] < model_deadline_ns[best] ||
		    (model_deadline_ns[i] == model_deadline_ns[best] &&
		     model_order[i] < model_order[best]))
			best = i;
	}
	return best < 0 ? NULL : &timers[best];
}

static void run(uint64_t seed, uint32_t deadlines)
{
	uint64_t random = seed;
	uint64_t order = 0;
	size_t storage_used = 0;
	uint32_t armed = 0;
	struct base_timerq queue;
	struct base_timer *head = NULL;

	base_timerq_init(&queue, chunk_alloc, &storage_used);
	for (int i = 0; i < TIMERS; i++) {
		base_timer_init(&timers[i]);
		model_order[i] = 0;
		expect("reserve", 0, base_timerq_reserve(&queue));
	}
	for (int step = 0; step < STEPS; step++) {
		uint32_t victim = random_below(&random, TIMERS);
		struct base_timer *before = head;
		bool changed;

		/* Phases of growth and of shrinking visit every depth of the heap. */
		if (random_below(&random, 100) < (step / 4000 % 2 ? 35u : 65u)) {
			model_deadline_ns[victim] = random_below(&random, deadlines);
			armed += !model_order[victim];
			model_order[victim] = ++order;
			changed =
				base_timerq_arm(&queue, &timers[victim], model_deadline_ns[victim]);
			head = model_head();
			expect("arm reports the head", before == &timers[victim] || head != before,
			       changed);
		} else {
			if (head && random_below(&random, 4) == 0)
				victim = (uint32_t)(head - timers);
			armed -= model_order[victim] != 0;
			model_order[victim] = 0;
			changed = base_timerq_cancel(&queue, &timers[victim]);
			head = model_head();
			expect("cancel reports the head", head != before, changed);
		}
		expect("armed", model_order[victim] != 0, base_timer_armed(&timers[victim]));
		expect("count", armed, base_timerq_count(&queue));
		expect_pointer("head", head, base_timerq_head(&queue));
		if (step % 64 == 0)
			expect("check", true, base_timerq_check(&queue));
	}
	while ((head = model_head())) {
		expect_pointer("drained in order", head, base_timerq_head(&queue));
		expect("next deadline", (int64_t)model_deadline_ns[head - timers],
		       (int64_t)base_timerq_next_ns(&queue));
		base_timerq_cancel(&queue, head);
		model_order[head - timers] = 0;
	}
	expect("empty", 0, base_timerq_count(&queue));
}

int main(void)
{
	run(1, 5);
	run(2, 1000);
	run(3, UINT32_MAX);
	return 0;
}
