/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Room is reserved before it is needed: refusals leave the queue as it was, storage never moves,
 * and what was given back is used again. The ends of the deadlines' range are deadlines like
 * others.
 */
#include "base/error.h"
#include "base/timerq.h"
#include "check.h"

static _Alignas(64) unsigned char storage[1 << 20];
static size_t storage_used;
static size_t storage_limit;
static unsigned requests;
static size_t misalign;

static void *chunk_alloc(void *context, size_t bytes)
{
	unsigned char *chunk = storage + storage_used + misalign;

	expect_pointer("context", storage, context);
	requests++;
	if (storage_used + bytes > storage_limit)
		return NULL;
	storage_used += bytes;
	return chunk;
}

static void refuses_without_memory(void)
{
	struct base_timerq queue;

	base_timerq_init(&queue, chunk_alloc, storage);
	storage_used = 0;
	storage_limit = 64 * 16;
	for (int i = 0; i < 57; i++) /* 64 less the seven unused indices */
		expect("reserve in the first chunk", 0, base_timerq_reserve(&queue));
	expect("one chunk", 1, requests);
	expect("no second chunk", -TACT_ENOMEM, base_timerq_reserve(&queue));
	base_timerq_unreserve(&queue);
	expect("a place given back", 0, base_timerq_reserve(&queue));
	storage_limit = sizeof(storage);
	misalign = 16;
	expect("a misaligned chunk", -TACT_ENOMEM, base_timerq_reserve(&queue));
	misalign = 0;
	storage_used = 64 * 16;
	expect("the second chunk", 0, base_timerq_reserve(&queue));
	expect("check", true, base_timerq_check(&queue));
}

static void keeps_every_chunk_in_use(void)
{
	enum { TIMERS = 5000 };
	static struct base_timer timers[TIMERS];
	struct base_timerq queue;

	base_timerq_init(&queue, chunk_alloc, storage);
	storage_used = 0;
	for (int i = 0; i < TIMERS; i++) {
		base_timer_init(&timers[i]);
		expect("reserve", 0, base_timerq_reserve(&queue));
		base_timerq_arm(&queue, &timers[i], (uint64_t)(TIMERS - i));
	}
	expect("check", true, base_timerq_check(&queue));
	for (int i = TIMERS; i--;) {
		expect_pointer("descending deadlines", &timers[i], base_timerq_head(&queue));
		expect("the head changes", true, base_timerq_cancel(&queue, &timers[i]));
	}
}

static void takes_extreme_deadlines(void)
{
	struct base_timer never, now, late;
	struct base_timerq queue;

	base_timerq_init(&queue, chunk_alloc, storage);
	storage_used = 0;
	base_timer_init(&never);
	base_timer_init(&now);
	base_timer_init(&late);
	for (int i = 0; i < 3; i++)
		expect("reserve", 0, base_timerq_reserve(&queue));
	expect_pointer("head of nothing", NULL, base_timerq_head(&queue));
	expect("deadline of nothing", -1, (int64_t)base_timerq_next_ns(&queue));
	expect("cancel of an idle timer", false, base_timerq_cancel(&queue, &now));
	expect("first arming", true, base_timerq_arm(&queue, &never, UINT64_MAX));
	expect("second of equals", false, base_timerq_arm(&queue, &late, UINT64_MAX));
	expect("deadline 0", true, base_timerq_arm(&queue, &now, 0));
	expect("the head moves behind its equals", true, base_timerq_arm(&queue, &now, UINT64_MAX));
	expect_pointer("first of equals", &never, base_timerq_head(&queue));
	base_timerq_cancel(&queue, &never);
	expect_pointer("second of equals", &late, base_timerq_head(&queue));
	base_timerq_cancel(&queue, &late);
	expect_pointer("the moved one", &now, base_timerq_head(&queue));
	expect("cancel of the last", true, base_timerq_cancel(&queue, &now));
	expect("cancel twice", false, base_timerq_cancel(&queue, &now));
}

int main(void)
{
	refuses_without_memory();
	keeps_every_chunk_in_use();
	takes_extreme_deadlines();
	return 0;
}
