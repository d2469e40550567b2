/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Pipes: tasks of several CPUs at one end, two Linux threads at the other, messages of all lengths.
 * Each message arrives once, whole and in order, even if the pipe is deleted. No task waits at a
 * pipe that could continue, even if a task before it gave up.
 */
#include <stddef.h>
#include <string.h>

#include "explore/scenario.h"

#define LONGEST 252u
#define WRITERS 4
#define BYE     UINT32_MAX

struct message {
	uint32_t sender;
	uint32_t sequence;
	unsigned char body[LONGEST];
};

#define HEAD offsetof(struct message, body)

static tact_pipe_t tube;
static struct tact_pipe_end *end;
static uint32_t flags;
static uint32_t longest; /* longest message of the pipe */
static bool deleted;     /* or will be: sooner or later all are told */
static bool holding;     /* no task may be disturbed */

static struct {
	const struct explore_actor *actor;
	size_t bytes; /* of the message that it writes; 0: none */
	uint32_t sent;
	uint32_t arrived; /* lowest possible number of the next to arrive */
} writers[WRITERS];
static uint32_t writers_count, writers_left, readers_left;
static uint32_t sent, arrived; /* from Linux */

static size_t compose(struct message *message, uint32_t sender, uint32_t sequence)
{
	size_t bytes = HEAD + explore_below(longest - HEAD + 1);

	/* Many are short, and many fill the pipe. */
	if (explore_chance(3))
		bytes = explore_chance(2) ? HEAD : longest;
	message->sender = sender;
	message->sequence = sequence;
	memset(message->body, (int)(sender * 31 + sequence), bytes - HEAD);
	return bytes;
}

static void examine(const struct message *message, int bytes)
{
	must(bytes >= (int)HEAD && bytes <= (int)longest, "a message of %d bytes", bytes);
	for (size_t i = 0; i < (size_t)bytes - HEAD; i++)
		must(message->body[i] == (unsigned char)(message->sender * 31 + message->sequence),
		     "byte %zu of %d is of another message", i, bytes);
}

/* Sometimes short; never for the last message. */
static tact_timeout_t patience(bool last)
{
	if (last || explore_chance(2))
		return TACT_FOREVER;
	return explore_chance(4) ? TACT_NOWAIT : tact_in(1 + explore_below(20000));
}

static bool gave_up(int result, tact_timeout_t timeout)
{
	return result == -TACT_ECANCELED ||
	       (result == -TACT_EAGAIN && timeout.kind == TACT_TIMEOUT_NOWAIT) ||
	       (result == -TACT_ETIMEDOUT && timeout.kind == TACT_TIMEOUT_RELATIVE);
}

static void writer(struct explore_actor *self)
{
	uint32_t me = self->index;
	uint32_t sequence = 0;
	int result = 0;

	while (result != -TACT_EIDRM && sequence <= self->number) {
		struct message message;
		bool last = sequence == self->number;
		tact_timeout_t timeout = patience(last);
		size_t bytes = compose(&message, me, last ? BYE : sequence);

		writers[me].bytes = bytes;
		result = tact_pipe_write(tube, &message, bytes, timeout);
		writers[me].bytes = 0;
		explore_check(self);
		must(!result || gave_up(result, timeout) || (deleted && result == -TACT_EIDRM),
		     "pipe_write: %d", result);
		writers[me].sent += !result;
		if (!result || !last)
			sequence++;
		explore_dawdle(2000);
	}
	writers_left--;
}

static void reader(struct explore_actor *self)
{
	uint32_t next = 0;

	for (;;) {
		struct message message;
		tact_timeout_t timeout = patience(false);
		bool short_of_room = timeout.kind == TACT_TIMEOUT_NOWAIT && explore_chance(2);
		int result = tact_pipe_read(tube, &message,
					    short_of_room ? HEAD - 1 : sizeof(message), timeout);

		explore_check(self);
		if (deleted && result == -TACT_EIDRM)
			break;
		if (result < 0) {
			must(gave_up(result, timeout) ||
				     (short_of_room && result == -TACT_EMSGSIZE),
			     "pipe_read: %d", result);
			explore_pause(3000);
			continue;
		}
		examine(&message, result);
		arrived++;
		if (message.sequence == BYE)
			break;
		must(message.sequence >= next, "message %u came after %u", message.sequence,
		     next - 1);
		next = message.sequence + 1;
		explore_dawdle(2000);
	}
	readers_left--;
}

/* Nothing moves, and the message of the first waiter (with TACT_PRIO: of one of the most urgent)
 * does not fit. */
static void check_waiting_writers(void)
{
	struct tact_pipe_info info = {0};
	struct explore_status status;
	uint32_t highest = 0, waiting = 0;
	size_t most = 0;

	for (uint32_t i = 0; i < writers_count; i++) {
		if (!writers[i].bytes)
			continue;
		if (!explore_waits(writers[i].actor->task, tact_object(tube)) ||
		    !explore_status(writers[i].actor->task, &status))
			return;
		if (!(flags & TACT_PRIO))
			status.priority = 0;
		if (status.priority > highest)
			most = 0;
		if (status.priority >= highest) {
			highest = status.priority;
			most = writers[i].bytes > most ? writers[i].bytes : most;
		}
		waiting++;
	}
	if (tact_pipe_inquire(tube, &info) || info.writers != waiting || !waiting)
		return;
	must(most + 4 > info.bytes - info.to_linux,
	     "%u writers wait with at most %zu bytes, and %u of %u are taken", waiting, most,
	     info.to_linux, info.bytes);
}

static void hold(void)
{
	holding = true;
	explore_rest();
	check_waiting_writers();
	holding = false;
}

/* The Linux end: reads until all have sent their last message, or the pipe is gone. */
static void read_at_end(struct explore_actor *self)
{
	uint32_t byes = 0;

	(void)self;
	while (deleted || byes < writers_count) {
		struct message message;
		tact_timeout_t timeout = patience(true);
		int result = tact_pipe_end_read(end, &message, sizeof(message), timeout);

		if (deleted && result == -TACT_EPIPE)
			return;
		if (gave_up(result, timeout))
			continue;
		examine(&message, result);
		must(message.sender < writers_count, "a message from writer %u", message.sender);
		must(message.sequence >= writers[message.sender].arrived,
		     "message %u of writer %u came late", message.sequence, message.sender);
		writers[message.sender].arrived = message.sequence + 1;
		must(writers[message.sender].sent || writers[message.sender].bytes,
		     "a message that was not sent");
		writers[message.sender].sent--;
		byes += message.sequence == BYE;
		if (explore_chance(6))
			hold();
		else
			explore_dawdle(4000);
	}
}

static void write_at_end(struct explore_actor *self)
{
	uint32_t readers = readers_left, sequence = 0;

	while (sequence < self->number + readers) {
		struct message message;
		struct tact_pipe_info info = {0};
		bool last = sequence >= self->number;
		tact_timeout_t timeout = patience(last);
		size_t bytes = compose(&message, 0, last ? BYE : sequence);
		int result = tact_pipe_end_write(end, &message, bytes, timeout);

		if (deleted && result == -TACT_EPIPE)
			return;
		must(!result || gave_up(result, timeout), "pipe_end_write: %d", result);
		sent += !result;
		if (!result || !last)
			sequence++;
		/* Waiters were told before the call returned. */
		if (!tact_pipe_inquire(tube, &info))
			must(!info.readers || !info.from_linux,
			     "%u readers wait while %u bytes are there", info.readers,
			     info.from_linux);
		explore_dawdle(4000);
	}
}

static void disturb(struct explore_actor *self)
{
	while (writers_left + readers_left) {
		const struct explore_actor *other = explore_actor(explore_below(self->number));

		explore_pause(holding ? 20 * EXPLORE_MS : 5000);
		if (holding || !other->task.id)
			continue;
		(void)explore_disturb(other);
		explore_check(self);
	}
}

static void deleter(struct explore_actor *self)
{
	explore_pause(1 + explore_below(100000));
	must_succeed(tact_pipe_delete(tube));
	explore_check(self);
	must_equal(tact_pipe_inquire(tube, NULL), -TACT_EIDRM);
}

static void make_actors(void)
{
	for (uint32_t i = 0; i < writers_count; i++)
		writers[i].actor =
			explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 9),
				     writer, explore_between(1, 12));
	for (uint32_t i = readers_left; i; i--)
		explore_anyone(5, reader, 0);
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturb,
			     writers_count + readers_left);
	explore_thread(read_at_end, 0);
	explore_thread(write_at_end, explore_between(1, 20));
	if (deleted)
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), deleter, 0);
}

EXPLORE(pipes, 1, 3,
	"messages between tasks and Linux: none lost, no task waits that could continue")
{
	uint32_t bytes = TACT_PIPE_BYTES_MIN << explore_below(3);
	struct tact_pipe_info info = {0};

	longest = bytes - 4;
	deleted = explore_chance(3);
	writers_count = writers_left = explore_between(1, WRITERS);
	readers_left = explore_between(1, 3);
	flags = explore_any_flags();
	must_succeed(tact_pipe_create(NULL, bytes, flags, &tube));
	must_succeed(tact_pipe_open(tube, &end));
	make_actors();
	explore_join_all();
	for (uint32_t i = 0; i < writers_count; i++)
		must_equal(writers[i].sent, 0);
	if (!deleted) {
		must_equal(arrived, sent);
		must_succeed(tact_pipe_inquire(tube, &info));
		must_equal(info.to_linux + info.from_linux + info.readers + info.writers, 0);
		must_succeed(tact_pipe_delete(tube));
	}
	must(arrived <= sent, "%u messages sent, %u arrived", sent, arrived);
	must_succeed(tact_pipe_close(end));
}
