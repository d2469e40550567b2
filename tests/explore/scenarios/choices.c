/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for one of several objects, of all CPUs, beside waits for one of them: each unit, each
 * message and each bit that was given is taken once, or is still there, even if other things end
 * waits.
 */
#include "choices.h"

#define SEMS    3u
#define QUEUES  2u
#define BITS    60u
#define OBJECTS (SEMS + QUEUES + 1u)

static tact_sem_t sem[SEMS];
static tact_queue_t queue[QUEUES];
static tact_event_t event;
static uint32_t posted, units, bits_set, bits_taken;
static bool bit_out[BITS];
static uint32_t all; /* the actors that choose */

static void got_bits(uint64_t bits)
{
	for (uint32_t bit = 0; bit < BITS; bit++) {
		if (!(bits >> bit & 1))
			continue;
		must(bit_out[bit], "bit %u was consumed twice", bit);
		bit_out[bit] = false;
		bits_taken++;
	}
}

static struct tact_wait_item item_of(uint32_t object, uint32_t *message)
{
	if (object < SEMS)
		return tact_wait_sem(sem[object], object);
	if (object < SEMS + QUEUES)
		return tact_wait_queue(queue[object - SEMS], message, sizeof(*message), object);
	return tact_wait_event(event, (1ull << BITS) - 1, TACT_EVENT_CONSUME, object);
}

static tact_timeout_t any_timeout(void)
{
	switch (explore_below(6)) {
	case 0:
		return TACT_NOWAIT;
	case 1:
		return tact_in(explore_below(5000));
	default:
		return EXPLORE_LONG;
	}
}

/* All messages go into the same memory. */
static bool choose(struct explore_actor *self)
{
	struct tact_wait_item item[2 * OBJECTS + 1], *taken;
	uint32_t message = NUMBERS, count = explore_between(0, 2 * OBJECTS);
	int result;

	for (uint32_t i = 0; i < count; i++)
		item[i] = item_of(explore_below(OBJECTS), &message);
	taken = choose_among(self, item, count, OBJECTS, any_timeout(), &result);
	if (!taken) {
		must(message == NUMBERS, "message %u came to a choice that took nothing", message);
		return true;
	}
	if (taken->cookie == OBJECTS)
		return false;
	if (taken->cookie < SEMS) {
		units++;
	} else if (taken->cookie < SEMS + QUEUES) {
		must_equal(result, sizeof(message));
		got(message);
	} else {
		got_bits(taken->value);
	}
	must((taken->cookie >= SEMS && taken->cookie < SEMS + QUEUES) == (message != NUMBERS),
	     "message %u came to a choice that took object %u", message, (unsigned)taken->cookie);
	return true;
}

static void choose_on(struct explore_actor *self)
{
	while (choose(self))
		explore_dawdle(2000);
}

/* One object at a time, as often as the choices. */
static void take(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		uint32_t object = explore_below(OBJECTS), message = NUMBERS;
		tact_timeout_t timeout = tact_in(explore_below(20000));
		uint64_t bits = 0;
		int result;

		if (object < SEMS)
			result = tact_sem_wait(sem[object], timeout);
		else if (object < SEMS + QUEUES)
			result = tact_queue_receive(queue[object - SEMS], &message, sizeof(message),
						    NULL, timeout);
		else
			result = tact_event_wait(event, (1ull << BITS) - 1, TACT_EVENT_CONSUME,
						 timeout, &bits);
		must(result >= 0 || nothing(result), "taking from object %u gave %d", object,
		     result);
		if (result >= 0 && object < SEMS)
			units++;
		else if (result >= 0 && object < SEMS + QUEUES)
			got(message);
		got_bits(bits);
		explore_check(self);
		explore_dawdle(2000);
	}
}

static void give(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		uint32_t object = explore_below(OBJECTS);

		if (object < SEMS) {
			must_succeed(tact_sem_post(sem[object]));
			posted++;
		} else if (object < SEMS + QUEUES && sent < NUMBERS) {
			uint32_t number = send_number();

			/* A queue without slots has a sender until a task receives. */
			if (tact_queue_send(queue[object - SEMS], &number, sizeof(number),
					    TACT_QUEUE_NORMAL, TACT_NOWAIT))
				not_sent(number);
		} else if (object == OBJECTS - 1 && bits_set < BITS) {
			uint32_t bit = bits_set++;

			bit_out[bit] = true;
			must(tact_event_set(event, 1ull << bit) >= 0, "bit %u was not set", bit);
		}
		explore_check(self);
		explore_dawdle(3000);
	}
}

static void disturb(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		const struct explore_actor *actor = explore_actor(explore_below(all));

		if (actor->task.id && !explore_disturb(actor))
			return;
		explore_check(self);
		explore_pause(4000);
	}
}

static void make_objects(void)
{
	for (uint32_t i = 0; i < SEMS; i++)
		must_succeed(tact_sem_create(NULL, 0, 1000, explore_any_flags(), &sem[i]));
	for (uint32_t i = 0; i < QUEUES; i++)
		must_succeed(tact_queue_create(NULL, sizeof(uint32_t), i ? 8 : 0,
					       explore_any_flags(), &queue[i]));
	must_succeed(tact_event_create(NULL, 0, explore_any_flags(), &event));
	must_succeed(tact_sem_create(NULL, 0, 1000, explore_any_flags(), &quit));
}

/* All that was not taken is there; no task waits. */
static void count_objects(void)
{
	uint32_t units_left = 0, bits_left = 0;
	struct tact_event_info flags = {0};
	struct tact_sem_info info = {0};
	uint32_t message;

	for (uint32_t i = 0; i < SEMS; i++) {
		must_succeed(tact_sem_inquire(sem[i], &info));
		must_equal(info.waiters, 0);
		units_left += info.value;
	}
	must_equal(units + units_left, posted);
	for (uint32_t i = 0; i < QUEUES; i++)
		while (tact_queue_receive(queue[i], &message, sizeof(message), NULL, TACT_NOWAIT) >=
		       0)
			got(message);
	must_equal(received, sent);
	must_succeed(tact_event_inquire(event, &flags));
	must_equal(flags.waiters, 0);
	for (uint32_t bit = 0; bit < BITS; bit++)
		bits_left += flags.bits >> bit & 1;
	must_equal(bits_taken + bits_left, bits_set);
	must_succeed(tact_sem_inquire(quit, &info));
	must_equal(info.value, 0);
	must_equal(info.waiters, 0);
}

static void delete_objects(void)
{
	for (uint32_t i = 0; i < SEMS; i++)
		must_succeed(tact_sem_delete(sem[i]));
	for (uint32_t i = 0; i < QUEUES; i++)
		must_succeed(tact_queue_delete(queue[i]));
	must_succeed(tact_event_delete(event));
	must_succeed(tact_sem_delete(quit));
}

EXPLORE(choices, 1, 4, "one of several objects, of all CPUs: nothing is lost or taken twice")
{
	uint32_t first;

	make_objects();
	all = explore_between(1, 6);
	for (uint32_t i = 0; i < all; i++)
		explore_anyone(4, choose_on, 0);
	first = explore_actors();
	for (uint32_t i = explore_between(0, 3); i; i--)
		explore_anyone(4, take, explore_between(1, 10));
	for (uint32_t i = explore_between(1, 5); i; i--)
		explore_anyone(4, give, explore_between(1, 20));
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), 9, disturb, explore_between(1, 12));
	join_from(first);
	let_quit(all);
	count_objects();
	delete_objects();
}

static uint32_t ended[SEMS];

/* Only deletion may end the wait. */
static void choose_until_deleted(struct explore_actor *self)
{
	struct tact_wait_item item[SEMS], *taken;
	uint32_t count = self->number;
	int result;

	for (uint32_t i = 0; i < count; i++)
		item[i] = tact_wait_sem(sem[i], i);
	do {
		result = tact_wait_any(item, count, EXPLORE_LONG, &taken);
		explore_check(self);
	} while (result == -TACT_ECANCELED && !taken);
	must_equal(result, -TACT_EIDRM);
	must(taken != NULL, "no object was deleted");
	ended[taken->cookie]++;
}

EXPLORE(choices_deleted, 1, 4, "objects deleted under tasks that choose among them")
{
	uint32_t count = explore_between(1, 10);

	for (uint32_t i = 0; i < SEMS; i++)
		must_succeed(tact_sem_create(NULL, 0, 1, explore_any_flags(), &sem[i]));
	for (uint32_t i = 0; i < count; i++)
		explore_anyone(4, choose_until_deleted, explore_between(1, SEMS));
	all = count;
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), 9, disturb, explore_between(1, 12));
	explore_pause(10000);
	/* In this order, no wait is left: all waits include the first object. */
	for (uint32_t i = SEMS; i; i--) {
		must_succeed(tact_sem_delete(sem[i - 1]));
		explore_pause(3000);
	}
	explore_join_all();
	must_equal(ended[0] + ended[1] + ended[2], count);
}
