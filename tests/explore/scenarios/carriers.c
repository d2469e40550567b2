/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Objects that carry messages (queue, mailbox, buffer of messages) between producers and consumers
 * anywhere: each message arrives once, and the messages of one producer reach one consumer in the
 * order of sending.
 */
#include "explore/scenario.h"

#define PRODUCERS 4
#define ITEMS     12

struct carrier {
	const char *name;
	tact_object_t (*create)(uint32_t flags, uint32_t depth);
	int (*put)(tact_object_t carrier, uint64_t item, tact_timeout_t timeout);
	int (*get)(tact_object_t carrier, uint64_t *item, tact_timeout_t timeout);
};

static tact_object_t queue_create(uint32_t flags, uint32_t depth)
{
	tact_queue_t queue;

	must_succeed(tact_queue_create(NULL, sizeof(uint64_t), depth, flags, &queue));
	return tact_object(queue);
}

static int queue_put(tact_object_t object, uint64_t item, tact_timeout_t timeout)
{
	const tact_queue_t queue = {object.id};

	return tact_queue_send(queue, &item, sizeof(item), TACT_QUEUE_NORMAL, timeout);
}

static int queue_get(tact_object_t object, uint64_t *item, tact_timeout_t timeout)
{
	const tact_queue_t queue = {object.id};
	int result = tact_queue_receive(queue, item, sizeof(*item), NULL, timeout);

	must(result < 0 || result == sizeof(*item), "received %d bytes", result);
	return result < 0 ? result : 0;
}

static tact_object_t mailbox_create(uint32_t flags, uint32_t depth)
{
	tact_mailbox_t mailbox;

	must_succeed(tact_mailbox_create(NULL, depth, flags, &mailbox));
	return tact_object(mailbox);
}

static int mailbox_put(tact_object_t object, uint64_t item, tact_timeout_t timeout)
{
	const tact_mailbox_t mailbox = {object.id};

	return tact_mailbox_post(mailbox, item, TACT_MAILBOX_NORMAL, timeout);
}

static int mailbox_get(tact_object_t object, uint64_t *item, tact_timeout_t timeout)
{
	const tact_mailbox_t mailbox = {object.id};

	return tact_mailbox_pend(mailbox, item, timeout);
}

static tact_object_t buffer_create(uint32_t flags, uint32_t depth)
{
	tact_buffer_t buffer;

	must_succeed(tact_buffer_create(
		NULL, depth * (uint32_t)(sizeof(uint64_t) + TACT_BUFFER_MESSAGE_HEADER),
		flags | TACT_BUFFER_MESSAGES, &buffer));
	return tact_object(buffer);
}

static int buffer_put(tact_object_t object, uint64_t item, tact_timeout_t timeout)
{
	const tact_buffer_t buffer = {object.id};
	int result = tact_buffer_write(buffer, &item, sizeof(item), TACT_BUFFER_WHOLE, timeout);

	must(result < 0 || result == sizeof(item), "wrote %d bytes", result);
	return result < 0 ? result : 0;
}

static int buffer_get(tact_object_t object, uint64_t *item, tact_timeout_t timeout)
{
	const tact_buffer_t buffer = {object.id};
	int result = tact_buffer_read(buffer, item, sizeof(*item), TACT_BUFFER_WHOLE, timeout);

	must(result < 0 || result == sizeof(*item), "read %d bytes", result);
	return result < 0 ? result : 0;
}

static const struct carrier carriers[] = {
	{"queue", queue_create, queue_put, queue_get},
	{"mailbox", mailbox_create, mailbox_put, mailbox_get},
	{"buffer", buffer_create, buffer_put, buffer_get},
};

static const struct carrier *kind;
static tact_object_t object;
static uint32_t expected, received;
static bool seen[PRODUCERS][ITEMS];

static tact_timeout_t any_timeout(void)
{
	return explore_chance(3) ? tact_in(1 + explore_below(10000)) : TACT_FOREVER;
}

static void check_result(int result)
{
	must(!result || result == -TACT_ETIMEDOUT || result == -TACT_ECANCELED, "the %s gave %d",
	     kind->name, result);
}

static void produce(struct explore_actor *self)
{
	for (uint32_t i = 0; i < ITEMS; i++) {
		int result;

		do {
			result = kind->put(object, (uint64_t)self->number << 32 | i, any_timeout());
			check_result(result);
			explore_check(self);
		} while (result);
		explore_dawdle(1000);
	}
}

static void consume(struct explore_actor *self)
{
	uint32_t next[PRODUCERS] = {0};

	while (received < expected) {
		uint64_t item = UINT64_MAX;
		uint32_t from, number;
		/* Another consumer may take the last one. */
		int result = kind->get(object, &item, tact_in(1 + explore_below(30000)));

		check_result(result);
		explore_check(self);
		if (result)
			continue;
		from = (uint32_t)(item >> 32);
		number = (uint32_t)item;
		must(from < PRODUCERS && number < ITEMS, "received 0x%llx, which was not sent",
		     (unsigned long long)item);
		must(!seen[from][number], "received message %u of %u twice", number, from);
		must(number >= next[from], "message %u of %u after number %u", number, from,
		     next[from] - 1);
		seen[from][number] = true;
		next[from] = number + 1;
		received++;
		explore_dawdle(1000);
	}
}

static void disturb(struct explore_actor *self)
{
	while (received < expected)
		explore_jostle(self);
}

EXPLORE(carriers, 1, 3, "queues, mailboxes and buffers: each message once, in order")
{
	uint32_t producers = explore_between(1, PRODUCERS);
	uint64_t left;
	int result;

	kind = &carriers[explore_below(sizeof(carriers) / sizeof(carriers[0]))];
	object = kind->create(explore_any_flags(), explore_between(1, 5));
	expected = producers * ITEMS;
	for (uint32_t i = 0; i < producers; i++)
		explore_anyone(4, produce, i);
	for (uint32_t i = explore_between(1, 4); i; i--)
		explore_anyone(4, consume, 0);
	if (explore_chance(3))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturb, 0);
	explore_join_all();
	result = kind->get(object, &left, TACT_NOWAIT);
	must_equal(result, -TACT_EAGAIN);
	must_succeed(tact_delete(object));
}
