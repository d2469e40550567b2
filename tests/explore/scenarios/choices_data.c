/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for one of several buffers, mailboxes and pipes, beside readers of one of them: each
 * message arrives once, and no task waits that could continue, also behind a choice that has just
 * ended.
 */
#include "choices.h"

enum { MESSAGES, STREAM, MAILBOX, PIPE, OBJECTS, QUIT = OBJECTS };

static tact_buffer_t messages, stream;
static tact_mailbox_t mailbox;
static tact_pipe_t tube;
static struct tact_pipe_end *end;
static uint32_t written, read;
static bool resting; /* a wait ends only when something comes */
static bool narrow;  /* all choose between the mailbox and the pipe */

static uint32_t any_object(void)
{
	return narrow ? explore_between(MAILBOX, PIPE) : explore_below(OBJECTS);
}

static tact_timeout_t any_timeout(void)
{
	if (resting || explore_chance(2))
		return EXPLORE_LONG;
	return explore_chance(3) ? TACT_NOWAIT : tact_in(explore_below(8000));
}

/* Each reader of a stream wants this many bytes, or fewer. */
static uint32_t stream_bytes(void)
{
	return explore_between(1, 8);
}

static struct tact_wait_item item_of(uint32_t object, uint32_t *number, char *bytes)
{
	switch (object) {
	case MESSAGES:
		return tact_wait_buffer(messages, number, sizeof(*number), 0, object);
	case STREAM:
		return tact_wait_buffer(stream, bytes, stream_bytes(),
					explore_chance(3) ? TACT_BUFFER_PARTIAL : TACT_BUFFER_WHOLE,
					object);
	case MAILBOX:
		return tact_wait_mailbox(mailbox, object);
	default:
		return tact_wait_pipe(tube, number, sizeof(*number), object);
	}
}

static bool choose(struct explore_actor *self)
{
	struct tact_wait_item item[OBJECTS + 2], *taken;
	uint32_t number = NUMBERS, count = explore_between(1, OBJECTS + 1);
	char bytes[8];
	int result;

	for (uint32_t i = 0; i < count; i++)
		item[i] = item_of(any_object(), &number, bytes);
	taken = choose_among(self, item, count, QUIT, any_timeout(), &result);
	if (!taken)
		return true;
	if (taken->cookie == QUIT)
		return false;
	if (taken->cookie == STREAM)
		read += (uint32_t)result;
	else
		got(taken->cookie == MAILBOX ? taken->value : number);
	return true;
}

static void choose_on(struct explore_actor *self)
{
	while (choose(self))
		explore_dawdle(2000);
}

static void take(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		tact_timeout_t timeout = tact_in(explore_below(20000));
		uint32_t object = any_object(), number = NUMBERS;
		uint64_t value = 0;
		char bytes[8];
		int result;

		if (object == MESSAGES)
			result = tact_buffer_read(messages, &number, sizeof(number), 0, timeout);
		else if (object == STREAM)
			result = tact_buffer_read(stream, bytes, stream_bytes(), 0, timeout);
		else if (object == MAILBOX)
			result = tact_mailbox_pend(mailbox, &value, timeout);
		else
			result = tact_pipe_read(tube, &number, sizeof(number), timeout);
		must(result >= 0 || nothing(result), "taking from object %u gave %d", object,
		     result);
		if (result >= 0 && object == STREAM)
			read += (uint32_t)result;
		else if (result >= 0)
			got(object == MAILBOX ? value : number);
		explore_check(self);
		explore_dawdle(2000);
	}
}

/* A message that found no room was not sent. */
static void sent_or_not(uint32_t number, int result)
{
	must(result >= 0 || nothing(result) || result == -TACT_ENOSPC, "message %u: %d", number,
	     result);
	if (result < 0)
		not_sent(number);
}

static void give(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number && sent < NUMBERS; i++) {
		tact_timeout_t timeout = explore_chance(2) ? TACT_NOWAIT : tact_in(9000);
		uint32_t object = narrow ? MAILBOX : explore_below(PIPE);

		if (object == STREAM) {
			uint32_t bytes = stream_bytes();

			written += tact_buffer_write(stream, "abcdefgh", bytes, 0, timeout) ==
						   (int)bytes
					   ? bytes
					   : 0;
		} else {
			uint32_t number = send_number();

			sent_or_not(number,
				    object == MAILBOX
					    ? tact_mailbox_post(mailbox, number,
								TACT_MAILBOX_NORMAL, timeout)
					    : tact_buffer_write(messages, &number, sizeof(number),
								0, timeout));
		}
		explore_check(self);
		explore_dawdle(3000);
	}
}

/* The Linux end of the pipe. */
static void give_from_linux(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number && sent < NUMBERS; i++) {
		uint32_t number = send_number();

		sent_or_not(number,
			    tact_pipe_end_write(end, &number, sizeof(number), tact_in(9000)));
		explore_dawdle(3000);
	}
}

static void disturb(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++)
		explore_jostle(self);
}

static void make_objects(void)
{
	must_succeed(tact_buffer_create(NULL, 32, explore_any_flags() | TACT_BUFFER_MESSAGES,
					&messages));
	must_succeed(tact_buffer_create(NULL, 16, explore_any_flags(), &stream));
	must_succeed(tact_mailbox_create(NULL, 3, explore_any_flags(), &mailbox));
	must_succeed(tact_pipe_create(NULL, 64, explore_any_flags(), &tube));
	must_succeed(tact_sem_create(NULL, 0, 1000, explore_any_flags(), &quit));
	must_succeed(tact_pipe_open(tube, &end));
}

/* All are at rest: no task waits for what is there. A reader of a stream may want more. */
static void check_waiters(void)
{
	struct tact_mailbox_info box = {0};
	struct tact_buffer_info ring = {0};
	struct tact_pipe_info pipe = {0};

	must_succeed(tact_buffer_inquire(messages, &ring));
	must(!ring.messages || !ring.readers, "%u wait while %u messages are there", ring.readers,
	     ring.messages);
	must_succeed(tact_buffer_inquire(stream, &ring));
	must(ring.used < 8 || !ring.readers, "%u wait while %u bytes are there", ring.readers,
	     ring.used);
	must_succeed(tact_mailbox_inquire(mailbox, &box));
	must(!box.values || !box.pending, "%u wait while %u values are there", box.pending,
	     box.values);
	must_succeed(tact_pipe_inquire(tube, &pipe));
	must(!pipe.from_linux || !pipe.readers, "%u wait while %u bytes of a pipe are there",
	     pipe.readers, pipe.from_linux);
}

static void drain(void)
{
	uint32_t number;
	uint64_t value;
	char bytes[8];
	int result;

	while (tact_buffer_read(messages, &number, sizeof(number), 0, TACT_NOWAIT) >= 0)
		got(number);
	while (!tact_mailbox_pend(mailbox, &value, TACT_NOWAIT))
		got(value);
	while (tact_pipe_read(tube, &number, sizeof(number), TACT_NOWAIT) >= 0)
		got(number);
	while ((result = tact_buffer_read(stream, bytes, sizeof(bytes), TACT_BUFFER_PARTIAL,
					  TACT_NOWAIT)) > 0)
		read += (uint32_t)result;
	must_equal(received, sent);
	must_equal(read, written);
}

/* A few more of all kinds for choices that are at rest. A call that is queued behind a choice that
 * has just ended is only seen if nothing comes after it, so there are several such ends. */
static void give_and_rest(void)
{
	const uint32_t first = explore_actors();

	resting = false;
	explore_thread(give_from_linux, explore_between(1, 3));
	explore_anyone(4, give, explore_between(1, 3));
	join_from(first);
	resting = true;
	explore_rest();
	check_waiters();
}

EXPLORE(choices_data, 1, 4, "one of several buffers, mailboxes, pipes: each message once")
{
	uint32_t choosers = explore_between(1, 5), first;

	narrow = explore_chance(2);
	make_objects();
	for (uint32_t i = 0; i < choosers; i++)
		explore_anyone(4, choose_on, 0);
	first = explore_actors();
	for (uint32_t i = explore_between(0, 3); i; i--)
		explore_anyone(4, take, explore_between(1, 10));
	for (uint32_t i = explore_between(1, 4); i; i--)
		explore_anyone(4, give, explore_between(1, 20));
	explore_thread(give_from_linux, explore_between(1, 20));
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), 9, disturb, explore_between(1, 12));
	join_from(first);
	resting = true;
	explore_rest();
	check_waiters();
	for (uint32_t rounds = explore_below(6); rounds; rounds--)
		give_and_rest();
	let_quit(choosers);
	drain();
	must_succeed(tact_pipe_close(end));
	must_succeed(tact_pipe_delete(tube));
	must_succeed(tact_buffer_delete(messages));
	must_succeed(tact_buffer_delete(stream));
	must_succeed(tact_mailbox_delete(mailbox));
	must_succeed(tact_sem_delete(quit));
}
