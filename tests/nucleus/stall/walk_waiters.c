/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calls on objects at which thousands wait. */
#include "walk.h"

static tact_barrier_t barrier;
static tact_event_t event;
static tact_heap_t heap;
static tact_queue_t queue;
static tact_rwlock_t rwlock;
static tact_sem_t sem;

static void wait_sem(void *unused)
{
	(void)unused;
	while (tact_sem_wait(sem, tact_in(100000000 * TEST_MS)) != -TACT_EIDRM)
		;
}

static void semaphores_of(uint32_t flags)
{
	expect_ok(tact_sem_create(NULL, 0, 1, flags, &sem));
	walk_spawn(wait_sem, WAITERS);
	COUNT("tact_sem_post", tact_sem_post(sem));
	COUNT("tact_sem_broadcast", tact_sem_broadcast(sem));
	COUNT("tact_sem_flush", tact_sem_flush(sem));
	COUNT("tact_sem_inquire", tact_sem_inquire(sem, NULL));
	COUNT("tact_sem_delete", tact_sem_delete(sem));
}

static void semaphores(void *unused)
{
	(void)unused;
	semaphores_of(TACT_FIFO);
}

static void semaphores_by_priority(void *unused)
{
	(void)unused;
	semaphores_of(TACT_PRIO);
}

static void wait_event(void *i)
{
	uint32_t how = (uintptr_t)i & 1 ? TACT_EVENT_ALL : 0;
	int result;

	do
		result = tact_event_wait(event, 1, how, tact_in(100000000 * TEST_MS), NULL);
	while (result != -TACT_EIDRM);
}

static void events(void *unused)
{
	(void)unused;
	expect_ok(tact_event_create(NULL, 0, TACT_PRIO, &event));
	sections_count("tact_event_wait");
	walk_spawn(wait_event, WAITERS);
	sections_count(NULL);
	COUNT("tact_event_pulse, all released", tact_event_pulse(event, 1));
	COUNT("tact_event_flush", tact_event_flush(event));
	COUNT("tact_event_set of nobody's", tact_event_set(event, 2));
	COUNT("tact_event_delete", tact_event_delete(event));
}

#define CLASSES 4u /* of waiters, each released by a change that the next one makes */

/* The first in the queue are met by the last pass. */
static void wait_event_rule(void *arg)
{
	const uint32_t place = (uint32_t)((uintptr_t)arg * CLASSES / WALK_MANY);
	const struct tact_event_rule rule = {
		.size = sizeof(rule), .term = {{.bits = 2ull << place}}, .then_set = 1ull << place};

	while (tact_event_wait_rule(event, &rule, tact_in(100000000 * TEST_MS), NULL) !=
	       -TACT_EIDRM)
		;
}

static void event_rules(void *unused)
{
	(void)unused;
	expect_ok(tact_event_create(NULL, 0, TACT_EVENT_RULES, &event));
	sections_count("tact_event_wait_rule");
	walk_spawn(wait_event_rule, WALK_MANY);
	sections_count(NULL);
	COUNT("tact_event_change of nobody's", tact_event_change(event, 1, 0, NULL));
	COUNT("tact_event_clear of nobody's", tact_event_clear(event, 1, NULL));
	COUNT("tact_event_change, all released",
	      tact_event_change(event, 1ull << CLASSES, 0, NULL));
	COUNT("tact_event_delete, waiters by rule", tact_event_delete(event));
}

/* The last is in the row of the first. */
static _Alignas(32768) uintptr_t words[66];

static void wait_word(void *unused)
{
	int result;

	(void)unused;
	do
		result = tact_word_pend(0, &words[0], NULL, tact_in(100000000 * TEST_MS));
	while (!result);
}

static void words_of_a_row(void *unused)
{
	uintptr_t value;

	(void)unused;
	sections_count("tact_word_pend of many");
	walk_spawn(wait_word, WAITERS);
	sections_count(NULL);
	COUNT("tact_word_post", tact_word_post(0, &words[0], 1));
	COUNT("tact_word_post beside a crowd", tact_word_post(0, &words[65], 1));
	COUNT("tact_word_pend", tact_word_pend(0, &words[65], &value, TACT_NOWAIT));
}

static void wait_barrier(void *unused)
{
	(void)unused;
	while (tact_barrier_wait(barrier, TEST_LONG) != -TACT_EIDRM)
		;
}

static void barriers(void *unused)
{
	(void)unused;
	expect_ok(tact_barrier_create(NULL, WAITERS + 1, TACT_PRIO, &barrier));
	walk_spawn(wait_barrier, WAITERS);
	COUNT("tact_barrier_wait", tact_barrier_wait(barrier, TACT_FOREVER));
	COUNT("tact_barrier_flush", tact_barrier_flush(barrier));
	COUNT("tact_barrier_delete", tact_barrier_delete(barrier));
}

static void wait_queue(void *unused)
{
	char message[16];

	(void)unused;
	while (tact_queue_receive(queue, message, sizeof(message), NULL, TEST_LONG) != -TACT_EIDRM)
		;
}

static void queues(void *unused)
{
	(void)unused;
	expect_ok(tact_queue_create(NULL, 16, 4, TACT_PRIO, &queue));
	walk_spawn(wait_queue, WAITERS);
	COUNT("tact_queue_delete", tact_queue_delete(queue));
}

static void wait_heap(void *unused)
{
	void *block;

	(void)unused;
	while (tact_heap_alloc(heap, 60000, TEST_LONG, &block) != -TACT_EIDRM)
		;
}

static void heaps(void *unused)
{
	static char memory[65536];
	void *block;

	(void)unused;
	expect_ok(tact_heap_create(NULL, memory, sizeof(memory), TACT_PRIO, &heap));
	expect_ok(tact_heap_alloc(heap, 60000, TACT_NOWAIT, &block));
	walk_spawn(wait_heap, WAITERS);
	COUNT("tact_heap_delete", tact_heap_delete(heap));
}

static void wait_rwlock(void *unused)
{
	(void)unused;
	while (tact_rwlock_write(rwlock, TEST_LONG) != -TACT_EIDRM)
		;
}

static void rwlocks(void *unused)
{
	(void)unused;
	expect_ok(tact_rwlock_create(NULL, 4, TACT_PRIO, &rwlock));
	expect_ok(tact_rwlock_read(rwlock, TACT_NOWAIT));
	walk_spawn(wait_rwlock, WAITERS);
	COUNT("tact_rwlock_delete", tact_rwlock_delete(rwlock));
}

static void wait_to_read(void *unused)
{
	(void)unused;
	if (!tact_rwlock_read(rwlock, TEST_LONG))
		(void)tact_rwlock_unlock(rwlock);
}

static void readers(void *unused)
{
	(void)unused;
	COUNT("tact_rwlock_create", tact_rwlock_create(NULL, WALK_MANY, TACT_PRIO, &rwlock));
	expect_ok(tact_rwlock_write(rwlock, TACT_NOWAIT));
	walk_spawn(wait_to_read, WALK_MANY);
	COUNT("tact_rwlock_inquire", tact_rwlock_inquire(rwlock, NULL));
	COUNT("tact_rwlock_unlock to readers", tact_rwlock_unlock(rwlock));
	walk_let_end();
	COUNT("tact_rwlock_delete of many", tact_rwlock_delete(rwlock));
}

static tact_sem_t some[TACT_WAIT_ITEMS_MAX];

static void fill(struct tact_wait_item *item)
{
	for (uint32_t i = 0; i < TACT_WAIT_ITEMS_MAX; i++)
		item[i] = tact_wait_sem(some[i], i);
}

static void choose(void *unused)
{
	struct tact_wait_item item[TACT_WAIT_ITEMS_MAX];

	(void)unused;
	fill(item);
	while (tact_wait_any(item, TACT_WAIT_ITEMS_MAX, tact_in(100000000 * TEST_MS), NULL) !=
	       -TACT_EIDRM)
		;
}

/* As many objects as may be, and all waiters at each of them. */
static void choices_of(uint32_t flags)
{
	struct tact_wait_item item[TACT_WAIT_ITEMS_MAX];

	for (uint32_t i = 0; i < TACT_WAIT_ITEMS_MAX; i++)
		expect_ok(tact_sem_create(NULL, 0, 1, flags, &some[i]));
	walk_spawn(choose, WAITERS);
	fill(item);
	COUNT_ERROR("tact_wait_any", TACT_EAGAIN,
		    tact_wait_any(item, TACT_WAIT_ITEMS_MAX, TACT_NOWAIT, NULL));
	COUNT_ERROR("tact_wait_any that times out", TACT_ETIMEDOUT,
		    tact_wait_any(item, TACT_WAIT_ITEMS_MAX, tact_in(TEST_MS), NULL));
	COUNT("tact_sem_post to a choice", tact_sem_post(some[7]));
	COUNT("tact_sem_broadcast to choices", tact_sem_broadcast(some[8]));
	COUNT("tact_sem_delete under choices", tact_sem_delete(some[9]));
}

static void choices(void *unused)
{
	(void)unused;
	choices_of(TACT_FIFO);
}

static void choices_by_priority(void *unused)
{
	(void)unused;
	choices_of(TACT_PRIO);
}

WALK(choices)
WALK(choices_by_priority)
WALK(semaphores)
WALK(semaphores_by_priority)
WALK(events)
WALK(event_rules)
WALK(words_of_a_row)
WALK(barriers)
WALK(queues)
WALK(heaps)
WALK(rwlocks)
WALK(readers)
