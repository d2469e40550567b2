/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Buffers as streams and of messages: exactly the bytes that go in come out, readers and writers
 * never wait for each other, and no task waits that could continue. Where some writers overwrite,
 * bytes may be lost, and the rest holds.
 */
#include <string.h>

#include "explore/scenario.h"

#define SIZE   64u
#define ACTORS 7
#define FILLER ACTORS /* the writer of what the Linux thread writes */

static tact_buffer_t buffer;
static uint32_t flags, work_left;
static bool whole; /* messages */
static bool lossy; /* some writers overwrite */

static struct {
	const struct explore_actor *actor;
	uint32_t bytes; /* that it reads or writes; 0: neither */
	bool writes;
} doing[ACTORS];

/* In a stream a byte is the number of its writer; in a message all bytes are its length. */
static int64_t balance[ACTORS + 1];
static int64_t inside; /* bytes, with headers */

static uint32_t some_bytes(void)
{
	uint32_t most = whole ? SIZE - TACT_BUFFER_MESSAGE_HEADER : SIZE;

	return explore_chance(3) ? explore_between(most / 2, most) : explore_between(1, 9);
}

static int put(uint32_t writer, uint32_t bytes, uint32_t how, tact_timeout_t timeout)
{
	unsigned char data[SIZE];
	int result;

	memset(data, (int)(whole ? bytes : writer), bytes);
	result = tact_buffer_write(buffer, data, bytes, how, timeout);
	if (result < 0)
		return result;
	must(result == (int)bytes || (how && result), "%d of %u bytes written", result, bytes);
	inside += result + (whole ? (int)TACT_BUFFER_MESSAGE_HEADER : 0);
	balance[writer] += whole ? 0 : result;
	return 0;
}

static int get(uint32_t bytes, uint32_t how, tact_timeout_t timeout)
{
	const bool takes = !(how & TACT_BUFFER_PEEK);
	unsigned char data[SIZE];
	int result = tact_buffer_read(buffer, data, bytes, how, timeout);

	if (result < 0)
		return result;
	must(result && result <= (int)bytes, "%d of %u bytes read", result, bytes);
	inside -= takes ? result + (whole ? (int)TACT_BUFFER_MESSAGE_HEADER : 0) : 0;
	for (int i = 0; i < result; i++) {
		if (whole)
			must(data[i] == result, "byte %d of %d is of another message", i, result);
		else
			must(data[i] <= FILLER, "byte %d has no writer", i);
		balance[whole ? FILLER : data[i]] -= takes && !whole;
	}
	return 0;
}

/* What never waits. */
static void look_or_overwrite(struct explore_actor *self, uint32_t bytes)
{
	int result;

	if (explore_chance(2)) {
		must_equal(put(self->index, bytes, TACT_BUFFER_OVERWRITE, TACT_NOWAIT), 0);
	} else {
		result = get(bytes, TACT_BUFFER_PEEK, TACT_NOWAIT);
		must(!result || result == -TACT_EAGAIN || (whole && result == -TACT_EMSGSIZE),
		     "a look into a buffer gave %d", result);
	}
	explore_check(self);
}

static void work(struct explore_actor *self)
{
	for (uint32_t i = 0; i < self->number; i++) {
		tact_timeout_t timeout =
			explore_chance(2) ? TACT_FOREVER : tact_in(1 + explore_below(20000));
		uint32_t how = whole || !explore_chance(4) ? 0 : TACT_BUFFER_PARTIAL;
		uint32_t bytes = some_bytes();
		int result;

		if (lossy && explore_chance(3)) {
			look_or_overwrite(self, bytes);
			continue;
		}
		doing[self->index].writes = explore_chance(2);
		doing[self->index].bytes = bytes;
		if (doing[self->index].writes)
			result = put(self->index, bytes, how, timeout);
		else
			result = get(bytes, how, timeout);
		doing[self->index].bytes = 0;
		explore_check(self);
		must(!result || result == -TACT_ECANCELED ||
			     (result == -TACT_ETIMEDOUT && timeout.kind == TACT_TIMEOUT_RELATIVE) ||
			     (result == -TACT_EMSGSIZE && whole),
		     "a buffer gave %d", result);
		explore_dawdle(2000);
	}
	work_left--;
}

/* The maximum number of bytes that one of the first waiters can want: of all, or of the most urgent
 * ones. */
static uint32_t most_wanted(uint32_t *waiting)
{
	uint32_t highest = 0, most = 0;

	*waiting = 0;
	for (uint32_t i = 0; i < ACTORS; i++) {
		struct explore_status status;
		uint32_t priority;

		if (!doing[i].bytes || !explore_waits(doing[i].actor->task, tact_object(buffer)) ||
		    !explore_status(doing[i].actor->task, &status))
			continue;
		++*waiting;
		priority = flags & TACT_PRIO ? status.priority : 0;
		if (priority > highest)
			most = 0;
		if (priority >= highest) {
			highest = priority;
			most = doing[i].bytes > most ? doing[i].bytes : most;
		}
	}
	return most;
}

/* Nothing moves: check that each waiter has to wait, then let some continue. */
static void detach_on(void)
{
	struct tact_buffer_info info = {0};
	uint32_t waiting, most, busy = 0;

	explore_rest();
	most = most_wanted(&waiting);
	for (uint32_t i = 0; i < ACTORS; i++)
		busy += doing[i].bytes != 0;
	must_succeed(tact_buffer_inquire(buffer, &info));
	if (busy == waiting && waiting == info.readers + info.writers && waiting) {
		must(!info.readers || !info.writers, "%u readers and %u writers wait", info.readers,
		     info.writers);
		if (!lossy)
			must_equal(info.used, inside);
		if (info.writers)
			must(most + (whole ? TACT_BUFFER_MESSAGE_HEADER : 0) > SIZE - info.used,
			     "%u writers wait to write at most %u bytes, %u are taken",
			     info.writers, most, info.used);
		else
			must(whole ? !info.messages : most > info.used,
			     "%u readers wait for at most %u bytes, %u are there", info.readers,
			     most, info.used);
	}
	if (info.writers)
		(void)get(SIZE, whole ? 0 : TACT_BUFFER_PARTIAL, TACT_NOWAIT);
	if (info.readers)
		(void)put(FILLER, some_bytes(), whole ? 0 : TACT_BUFFER_PARTIAL, TACT_NOWAIT);
}

static void disturb(struct explore_actor *self)
{
	for (uint32_t i = 0; i < 30; i++) {
		explore_pause(5000);
		(void)explore_disturb(explore_actor(explore_below(self->number)));
		explore_check(self);
	}
}

EXPLORE(buffers, 1, 3,
	"readers and writers of streams and messages: no task waits that could continue")
{
	uint32_t actors = explore_between(2, ACTORS);

	whole = explore_chance(3);
	lossy = explore_chance(3);
	flags = explore_any_flags() | (whole ? TACT_BUFFER_MESSAGES : 0);
	must_succeed(tact_buffer_create(NULL, SIZE, flags, &buffer));
	work_left = actors;
	for (uint32_t i = 0; i < actors; i++)
		doing[i].actor = explore_task(EXPLORE_EITHER, explore_any_cpu(),
					      explore_between(1, 9), work, explore_between(1, 15));
	if (explore_chance(2))
		explore_task(EXPLORE_EITHER, explore_any_cpu(), explore_between(1, 12), disturb,
			     actors);
	while (work_left)
		detach_on();
	explore_join_all();
	while (!get(SIZE, whole ? 0 : TACT_BUFFER_PARTIAL, TACT_NOWAIT))
		;
	if (!lossy)
		must_equal(inside, 0);
	for (uint32_t i = 0; i <= FILLER && !lossy; i++)
		must_equal(balance[i], 0);
	must_succeed(tact_buffer_delete(buffer));
}
