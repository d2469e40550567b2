/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Timer queue of one real-time CPU: exact order by (deadline, order of arming), the next deadline
 * known at once, and a cost that hardly grows from ten timers to a million.
 *
 * An implicit 8-ary heap whose eight sibling deadlines share one cache line, with the timers in a
 * parallel array. Its storage grows by doubling chunks that never move, and capacity is reserved
 * when a timer is created: arming cannot fail.
 *
 * Context: any, by the owner of the queue only; nothing here blocks or synchronises.
 * Source: D. B. Johnson, "Priority queues with update and finding minimum spanning trees", IPL
 * 4(3), 1975 (d-ary heaps); A. LaMarca, R. Ladner, "The influence of caches on the performance of
 * heaps", ACM JEA 1, 1996 (fan-out and alignment to the cache line).
 */
#ifndef BASE_TIMERQ_H
#define BASE_TIMERQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BASE_TIMERQ_CHUNKS        22 /* capacity: 64 << 21 = 134 million entries */
#define BASE_TIMERQ_CHUNK_ALIGN   64 /* a cache line */
#define BASE_TIMERQ_FIRST_ENTRIES 64 /* entries of the first chunk, then 64, 128, 256, ... */
#define BASE_TIMERQ_ROOT          7  /* the index that makes every group of siblings start a line */

struct base_timer {
	uint64_t deadline_ns; /* read only for the user; kept after expiry and cancel */
	uint64_t sequence;    /* order of arming */
	uint32_t position;    /* index in the heap; 0: idle */
};

struct base_timerq {
	/* Of each chunk the addresses that index 0 would have, if it and all before it were one
	 * array. */
	uintptr_t deadlines[BASE_TIMERQ_CHUNKS];
	uintptr_t timers[BASE_TIMERQ_CHUNKS];
	uint64_t sequence;
	uint32_t count;    /* armed timers */
	uint32_t reserved; /* timers that may be armed */
	uint32_t capacity; /* entries that have storage */
	uint32_t chunks;
	void *(*chunk_alloc)(void *context, size_t bytes);
	void *chunk_context;
};

/*
 * Makes an empty queue without storage.
 * chunk_alloc: called by base_timerq_reserve() only; returns memory aligned to
 *   BASE_TIMERQ_CHUNK_ALIGN that is the queue's for its whole life, or NULL. The largest request is
 *   half of all storage: 16 bytes for each timer, rounded up to a power of two.
 * Cost: constant.
 */
void base_timerq_init(struct base_timerq *queue, void *(*chunk_alloc)(void *context, size_t bytes),
		      void *context);

/*
 * Reserves room for one more timer. To be called once for each timer, before it is first armed.
 * Returns 0; -TACT_ENOMEM: no chunk to be had, or the queue is at its limit, nothing changed.
 * Cost: constant beside chunk_alloc, which is called for one reservation in 64 at most.
 */
int __attribute__((warn_unused_result)) base_timerq_reserve(struct base_timerq *queue);

/* Gives one reservation back; its timer is idle. Storage stays for the next one. Cost: constant. */
void base_timerq_unreserve(struct base_timerq *queue);

/*
 * Arms an idle timer or moves an armed one; among equal deadlines the one armed last comes last.
 * Returns true when the head, or the head's deadline, may have changed: program the next shot.
 * Cost: O(log n); constant on average for random deadlines.
 */
bool base_timerq_arm(struct base_timerq *queue, struct base_timer *timer, uint64_t deadline_ns);

/*
 * Makes a timer idle; harmless when it is. Returns true when it was the head: the next deadline has
 * changed. Cost: O(log n); constant on average but for the head.
 */
bool base_timerq_cancel(struct base_timerq *queue, struct base_timer *timer);

/*
 * The deadline of the first timer, in order, that is wanted; UINT64_MAX: none is. Looks at no more
 * than BASE_TIMERQ_LOOKS timers: when they are used up, the deadline of the first one not looked
 * at, which is never later than the answer. wanted: called with timers in order of their deadlines;
 * context is passed on. Cost: constant, dearer than base_timerq_next_ns().
 */
#define BASE_TIMERQ_LOOKS 5
uint64_t base_timerq_next_wanted_ns(const struct base_timerq *queue,
				    bool (*wanted)(const struct base_timer *timer,
						   const void *context),
				    const void *context);

/* Verifies order, positions and counts of the whole queue. For tests. Cost: O(n). */
bool base_timerq_check(const struct base_timerq *queue);

static inline void base_timer_init(struct base_timer *timer)
{
	timer->deadline_ns = 0;
	timer->sequence = 0;
	timer->position = 0;
}

static inline bool base_timer_armed(const struct base_timer *timer)
{
	return timer->position != 0;
}

/* The timer that expires first, or NULL. Cost: constant. */
static inline struct base_timer *base_timerq_head(const struct base_timerq *queue)
{
	return queue->count ? ((struct base_timer **)queue->timers[0])[BASE_TIMERQ_ROOT] : NULL;
}

/* The earliest deadline, UINT64_MAX when nothing is armed. Cost: constant, touches no timer. */
static inline uint64_t base_timerq_next_ns(const struct base_timerq *queue)
{
	return queue->count ? ((const uint64_t *)queue->deadlines[0])[BASE_TIMERQ_ROOT]
			    : UINT64_MAX;
}

static inline uint32_t base_timerq_count(const struct base_timerq *queue)
{
	return queue->count;
}

#endif
