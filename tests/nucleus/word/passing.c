/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values that pass through words of the program: kept, handed to waiters, by whom and to whom. */
#include "test.h"

/* More words than there are rows, so that some share one. */
#define WORDS 130u

static uintptr_t word, words[WORDS];
static uintptr_t received[WORDS];

static void pend_and_mark(void *name)
{
	uintptr_t value = 0;
	int result = tact_word_pend(0, &word, &value, TEST_LONG);

	mark(result == 0 ? name : result == -TACT_ETIMEDOUT ? "late" : "broken");
	received[0] = value;
}

static tact_task_t spawn_waiter(uint32_t cpu, uint32_t priority, const char *name)
{
	tact_task_t task = test_spawn_on(cpu, priority, pend_and_mark, (void *)(uintptr_t)name);

	test_until_state(task, TACT_TASK_STATE_WAITING);
	settle();
	return task;
}

TASK_TEST(value_stays_in_the_word_until_it_is_taken)
{
	uintptr_t value = 0;

	expect_ok(tact_word_post(0, &word, 7));
	expect_eq(word, 7);
	expect_error(tact_word_post(0, &word, 8), TACT_ENOSPC);
	expect_eq(word, 7);
	expect_ok(tact_word_pend(0, &word, &value, TACT_FOREVER));
	expect_eq(value, 7);
	expect_eq(word, 0);
	expect_error(tact_word_pend(0, &word, &value, TACT_NOWAIT), TACT_EAGAIN);
	expect_eq(value, 7);
}

TASK_TEST(program_presets_its_words)
{
	uintptr_t value = 0;

	word = UINTPTR_MAX;
	expect_ok(tact_word_pend(0, &word, &value, TACT_NOWAIT));
	expect_eq(value, UINTPTR_MAX);
	word = 1;
	expect_ok(tact_word_pend(0, &word, NULL, TACT_NOWAIT));
	expect_eq(word, 0);
}

TEST(most_urgent_waiter_is_served_first)
{
	tact_task_t task[4] = {spawn_waiter(0, 10, "low"), spawn_waiter(0, 30, "first"),
			       spawn_waiter(0, 30, "second"), spawn_waiter(0, 10, "raised")};

	expect_ok(tact_task_set_priority(task[3], 40, 0, NULL));
	for (uintptr_t i = 1; i <= 4; i++) {
		expect_ok(tact_word_post(0, &word, i));
		expect_eq(word, 0);
		for (int wait = 0; wait < 1000 && received[0] != i; wait++)
			settle();
	}
	for (int i = 0; i < 4; i++)
		test_join(task[i]);
	expect_marks("raised first second low");
}

static void pend_own(void *arg)
{
	uint32_t i = (uint32_t)(uintptr_t)arg;

	expect_ok(tact_word_pend(0, &words[i], &received[i], TEST_LONG));
}

TEST(waiters_of_many_words_get_what_is_posted_to_theirs)
{
	tact_task_t task[WORDS];

	for (uint32_t i = 0; i < WORDS; i++)
		task[i] = test_spawn_light(10, pend_own, (void *)(uintptr_t)i);
	test_until_state(task[WORDS - 1], TACT_TASK_STATE_WAITING);
	for (uint32_t i = WORDS; i-- > 0;)
		expect_ok(tact_word_post(0, &words[i], 1000 + i));
	for (uint32_t i = 0; i < WORDS; i++)
		expect_ok(tact_task_join(task[i], TEST_LONG));
	for (uint32_t i = 0; i < WORDS; i++) {
		expect_eq(received[i], 1000 + i);
		expect_eq(words[i], 0);
	}
}

TASK_TEST(wait_ends_in_time)
{
	uintptr_t value = 3;

	expect_error(tact_word_pend(0, &word, &value, tact_in(TEST_MS)), TACT_ETIMEDOUT);
	expect_error(tact_word_pend(0, &word, &value, tact_at((tact_time_t){1})), TACT_ETIMEDOUT);
	expect_eq(value, 3);
	expect_ok(tact_word_post(0, &word, 9));
	expect_eq(word, 9);
}

TEST(value_does_not_go_to_a_waiter_that_has_left)
{
	tact_task_t deleted = spawn_waiter(0, 30, "deleted");
	tact_task_t unblocked = spawn_waiter(0, 20, "unblocked");
	tact_task_t last = spawn_waiter(0, 10, "last");

	expect_ok(tact_task_delete(deleted));
	expect_ok(tact_task_unblock(unblocked, 0));
	test_join(unblocked);
	expect_ok(tact_word_post(0, &word, 5));
	test_join(last);
	expect_eq(received[0], 5);
	expect_marks("broken last");
	expect_ok(tact_word_post(0, &word, 6));
	expect_eq(word, 6);
}

static void post_and_pend(void *unused)
{
	(void)unused;
	/* The body waits meanwhile, or finds the value. */
	expect_ok(tact_task_sleep(5 * TEST_MS));
	expect_ok(tact_word_post(1, &word, 11));
	expect_ok(tact_word_pend(1, &words[0], &received[1], TEST_LONG));
}

TEST_CPUS(2, callers_are_anywhere)
{
	tact_task_t task = test_spawn_on(0, 10, post_and_pend, NULL);

	expect_ok(tact_word_pend(1, &word, &received[0], TEST_LONG));
	expect_eq(received[0], 11);
	test_until_state(task, TACT_TASK_STATE_WAITING);
	expect_ok(tact_word_post(1, &words[0], 12));
	test_join(task);
	expect_eq(received[1], 12);
	expect_eq(word + words[0], 0);
}
