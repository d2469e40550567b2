/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Circles that lead through conditions and reader-writer locks. */
#include "actors.h"

#include <tactus/cond.h>
#include <tactus/rwlock.h>

#define LENGTH 9

static tact_object_t lock[LENGTH]; /* mutexes and reader-writer locks */
static tact_cond_t cond;
static struct actor actor[LENGTH];

static void create(uint32_t index, uint32_t home)
{
	tact_mutex_t mutex;

	expect_ok(tact_mutex_create(NULL, TACT_ON_CPU(home), 0, &mutex));
	lock[index] = tact_object(mutex);
}

static void create_rwlock(uint32_t index, uint32_t home)
{
	tact_rwlock_t rwlock;

	expect_ok(tact_rwlock_create(NULL, 2, TACT_ON_CPU(home), &rwlock));
	lock[index] = tact_object(rwlock);
}

static tact_mutex_t mutex_at(uint32_t index)
{
	return (tact_mutex_t){lock[index].id};
}

static void start(uint32_t count, uint32_t cpus)
{
	for (uint32_t i = 0; i < count; i++)
		actor_start(&actor[i], i % cpus, 10 + i);
}

static void until_waiting_on_cond(uint32_t waiters)
{
	struct tact_cond_info info = {0};

	do
		expect_ok(tact_cond_inquire(cond, &info));
	while (info.waiters != waiters);
}

/* Actor 0 owns lock 1 and waits on the condition with lock 0; actor 1 owns lock 0. */
static void wait_on_cond(uint32_t home, uint32_t cpus, tact_timeout_t timeout)
{
	expect_ok(tact_cond_create(NULL, TACT_ON_CPU(home), &cond));
	create(0, home);
	create(1, (home + 1) % cpus);
	start(3, cpus);
	expect_ok(actor_do(&actor[0], act_lock, lock[1]));
	expect_ok(actor_do(&actor[0], act_lock, lock[0]));
	actor[0].second = mutex_at(0);
	actor_blocks_for(&actor[0], act_wait, cond, timeout);
	until_waiting_on_cond(1);
	expect_ok(actor_do(&actor[1], act_lock, lock[0]));
}

/* The mutex of the condition is the way out: actor 1 must let go of it first. */
static void resolve(void)
{
	settle();
	expect_error(actor_do(&actor[1], act_lock, lock[1]), TACT_EDEADLK);
	expect_ok(actor_do(&actor[1], act_unlock, lock[0]));
}

static void end_well(int expected)
{
	expect_eq(actor_result(&actor[0]), expected);
	expect_ok(actor_do(&actor[0], act_unlock, lock[0]));
	expect_ok(actor_do(&actor[0], act_unlock, lock[1]));
	expect_ok(actor_do(&actor[1], act_lock, lock[1]));
	for (uint32_t i = 0; i < 2; i++)
		expect_priority(&actor[i], 10 + i);
}

static void unsignalled(uint32_t home, uint32_t cpus)
{
	wait_on_cond(home, cpus, TEST_LONG);
	resolve();
	expect_ok(tact_cond_signal(cond));
	end_well(0);
}

TEST(who_waits_on_a_condition_waits_for_its_mutex)
{
	unsignalled(0, 1);
}

TEST_CPUS(2, who_waits_on_a_condition_waits_for_its_mutex_over_cpus)
{
	unsignalled(0, 2);
}

TEST_CPUS(3, who_waits_on_a_far_condition_waits_for_its_mutex)
{
	unsignalled(2, 3);
}

/* Signalled it stands in its mutex's queue, while others use the condition with another one. */
TEST_CPUS(2, signalled_waiter_is_followed)
{
	wait_on_cond(1, 2, TEST_LONG);
	expect_ok(tact_cond_signal(cond));
	until_waiters(mutex_at(0), 1);
	create(2, 1);
	expect_ok(actor_do(&actor[2], act_lock, lock[2]));
	actor[2].second = mutex_at(2);
	actor_blocks(&actor[2], act_wait, cond);
	until_waiting_on_cond(1);
	resolve();
	end_well(0);
}

TEST_CPUS(2, timed_out_waiter_is_followed)
{
	wait_on_cond(0, 2, tact_in(20 * TEST_MS));
	until_waiters(mutex_at(0), 1);
	resolve();
	end_well(-TACT_ETIMEDOUT);
}

/* As long as no other task has the mutex, there is no circle. */
TEST_CPUS(2, waiter_whose_mutex_is_free_is_no_circle)
{
	wait_on_cond(0, 2, TEST_LONG);
	expect_ok(actor_do(&actor[1], act_unlock, lock[0]));
	actor_blocks(&actor[1], act_lock, lock[1]);
	settle();
	expect_ok(tact_cond_signal(cond));
	expect_ok(actor_result(&actor[0]));
	expect_ok(actor_do(&actor[0], act_unlock, lock[1]));
	expect_ok(actor_result(&actor[1]));
}

static int act_compute_and_lock(struct actor *self)
{
	tact_compute(50 * TEST_MS);
	return act_lock(self);
}

/* Its wait had ended before it requested the mutex: so this task closes the circle. */
TEST(who_comes_back_from_a_condition_may_close_the_circle)
{
	wait_on_cond(0, 1, tact_in(20 * TEST_MS));
	actor_begin(&actor[1], act_compute_and_lock, lock[1], TEST_LONG);
	expect_error(actor_result(&actor[0]), TACT_EDEADLK);
	expect_error(actor_do(&actor[0], act_unlock, lock[0]), TACT_EPERM);
	expect_ok(actor_do(&actor[0], act_unlock, lock[1]));
	expect_ok(actor_result(&actor[1]));
}

/* Mutexes and reader-writer locks in turn: each owns one and waits for the next one's. */
static int take(uint32_t who, uint32_t which, bool read)
{
	int (*const act)(struct actor *) = which % 2 == 0 ? act_lock : read ? act_read : act_write;

	return actor_do(&actor[who], act, lock[which]);
}

static int leave(uint32_t who, uint32_t which)
{
	return actor_do(&actor[who], which % 2 ? act_leave : act_unlock, lock[which]);
}

static void circle(uint32_t length, uint32_t cpus, uint32_t shift)
{
	uint32_t last = length - 1;

	start(length, cpus);
	for (uint32_t i = 0; i < length; i++) {
		if (i % 2)
			create_rwlock(i, (i + shift) % cpus);
		else
			create(i, (i + shift) % cpus);
		expect_ok(take(i, i, false));
	}
	for (uint32_t i = 0; i < last; i++)
		actor_blocks(&actor[i],
			     i % 2        ? act_lock
			     : i % 4 == 0 ? act_read
					  : act_write,
			     lock[i + 1]);
	settle();
	expect_error(take(last, 0, false), TACT_EDEADLK);
	expect_ok(leave(last, last));
	for (uint32_t i = last; i--;) {
		expect_ok(actor_result(&actor[i]));
		expect_ok(leave(i, i + 1));
		expect_ok(leave(i, i));
	}
	for (uint32_t i = 0; i < length; i++)
		expect_priority(&actor[i], 10 + i);
}

TEST(writers_are_followed)
{
	circle(2, 1, 0);
}

TEST_CPUS(2, writers_are_followed_over_two_cpus)
{
	circle(2, 2, 1);
}

TEST_CPUS(3, writers_are_followed_along_nine)
{
	circle(LENGTH, 3, 2);
}

/* The wait that closes the circle is one for a reader-writer lock. */
static void closed_at_rwlock(uint32_t cpus, uint32_t shift, bool read)
{
	create(0, shift);
	create_rwlock(1, (1 + shift) % cpus);
	start(2, cpus);
	expect_ok(take(0, 0, false));
	expect_ok(take(1, 1, false));
	actor_blocks(&actor[1], act_lock, lock[0]);
	settle();
	expect_error(take(0, 1, read), TACT_EDEADLK);
	expect_ok(leave(0, 0));
	expect_ok(actor_result(&actor[1]));
	expect_ok(leave(1, 1));
	expect_ok(take(0, 1, read));
}

TEST(reader_that_closes_a_circle_is_told)
{
	closed_at_rwlock(1, 0, true);
}

TEST_CPUS(2, reader_that_closes_a_circle_is_told_over_cpus)
{
	closed_at_rwlock(2, 1, true);
}

TEST_CPUS(2, writer_that_closes_a_circle_is_told_over_cpus)
{
	closed_at_rwlock(2, 0, false);
}

/* Excluded by the header: there can be several owners that are readers, and they are not
 * followed. */
TEST_CPUS(2, readers_are_not_followed)
{
	create(0, 0);
	create_rwlock(1, 1);
	start(2, 2);
	expect_ok(take(0, 0, false));
	expect_ok(take(1, 1, true));
	actor_blocks(&actor[1], act_lock, lock[0]);
	actor_begin(&actor[0], act_write, lock[1], tact_in(20 * TEST_MS));
	expect_error(actor_result(&actor[0]), TACT_ETIMEDOUT);
	expect_ok(leave(0, 0));
	expect_ok(actor_result(&actor[1]));
}
