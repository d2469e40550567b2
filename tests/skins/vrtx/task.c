/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of VRTX: numbers, priorities, modes, suspension, deletion, and what is told of them. */
#include "vrtx_check.h"

static char *box;

static void wait_at_box(void *name)
{
	int code;

	mark(name ? name : "begins");
	(void)sc_pend(&box, 0, &code);
	mark(code == RET_OK ? "goes" : "other");
}

static void end_at_once(void *unused)
{
	(void)unused;
	mark("ran");
}

TEST(number_is_the_programs_and_free_again_at_the_end)
{
	expect_eq(WORKS(sc_tcreate, sc_tcreate(wait_at_box, 7, 20, &err)), 7);
	FAILS(sc_tcreate, ER_TID, sc_tcreate(wait_at_box, 7, 20, &err));
	until_waits(7);
	WORKS(sc_tdelete, DO(sc_tdelete(7, 0, &err)));
	FAILS(sc_tdelete, ER_TID, DO(sc_tdelete(7, 0, &err)));
	expect_eq(WORKS(sc_tcreate, sc_tcreate(end_at_once, 7, 20, &err)), 7);
	until_gone(7);
	/* Any number, and none. */
	expect_eq(WORKS(sc_tcreate, sc_tcreate(wait_at_box, -1, 20, &err)), 255);
	expect_eq(WORKS(sc_tcreate, sc_tcreate(wait_at_box, -1, 20, &err)), 254);
	expect_eq(WORKS(sc_tcreate, sc_tcreate(end_at_once, 0, 20, &err)), 0);
	expect_true(strstr(test_marks(), "ran") != NULL);
}

TEST(all_numbers_can_be_taken)
{
	for (int i = 0; i < 255; i++)
		(void)WORKS(sc_tcreate, sc_tcreate(wait_at_box, -1, 20, &err));
	FAILS(sc_tcreate, ER_TID, sc_tcreate(wait_at_box, -1, 20, &err));
	FAILS(sc_tecreate, ER_TID, sc_tecreate(wait_at_box, -1, 20, 0, 0, 0, NULL, 0, &err));
	(void)WORKS(sc_tcreate, sc_tcreate(wait_at_box, 0, 20, &err));
	/* All of that priority, with and without a number. */
	WORKS(sc_tdelete, DO(sc_tdelete(20, 'A', &err)));
	FAILS(sc_tdelete, ER_TID, DO(sc_tdelete(100, 0, &err)));
}

TEST(arguments_are_checked)
{
	FAILS(sc_tcreate, ER_IIP, sc_tcreate(NULL, 1, 1, &err));
	FAILS(sc_tcreate, ER_IIP, sc_tcreate(end_at_once, 256, 1, &err));
	FAILS(sc_tcreate, ER_IIP, sc_tcreate(end_at_once, -2, 1, &err));
	FAILS(sc_tcreate, ER_IIP, sc_tcreate(end_at_once, 1, 256, &err));
	FAILS(sc_tcreate, ER_IIP, sc_tcreate(end_at_once, 1, -1, &err));
	FAILS(sc_tecreate, ER_IIP, sc_tecreate(end_at_once, 1, 1, 1, 0, 0, NULL, 0, &err));
	FAILS(sc_tecreate, ER_IIP, sc_tecreate(end_at_once, 1, 1, 0, ~0ul, 2, NULL, 0, &err));
	FAILS(sc_tecreate, ER_MEM, sc_tecreate(end_at_once, 1, 1, 0, 1ul << 50, 0, NULL, 0, &err));
	/* Nothing is left of it. */
	(void)WORKS(sc_tcreate, sc_tcreate(end_at_once, 1, 1, &err));
	FAILS(sc_tdelete, ER_IIP, DO(sc_tdelete(1, 1, &err)));
	FAILS(sc_tsuspend, ER_IIP, DO(sc_tsuspend(1, 1, &err)));
	FAILS(sc_tsuspend, ER_TID, DO(sc_tsuspend(99, 0, &err)));
	FAILS(sc_tsuspend, ER_TID, DO(sc_tsuspend(0, 0, &err)));
	FAILS(sc_tresume, ER_IIP, DO(sc_tresume(1, 'B', &err)));
	FAILS(sc_tresume, ER_TID, DO(sc_tresume(256, 0, &err)));
	FAILS(sc_tpriority, ER_TID, DO(sc_tpriority(-1, 1, &err)));
	FAILS(sc_tinquiry, ER_TID, sc_tinquiry(NULL, 99, &err));
	/* A code is not wanted. */
	sc_tdelete(99, 0, NULL);
	expect_eq(sc_tcreate(NULL, 1, 1, NULL), -1);
}

static char given[4];

static void read_param(void *param)
{
	memcpy(given, param, sizeof(given));
	mark("read");
}

TEST(parameters_are_copied)
{
	char text[4] = "abc";

	expect_eq(
		WORKS(sc_tecreate, sc_tecreate(read_param, 3, 20, 0x2, 4096, 4096, text, 4, &err)),
		3);
	memset(text, 'x', sizeof(text));
	expect_marks("");
	WORKS(sc_tresume, DO(sc_tresume(3, 0, &err)));
	until_gone(3);
	expect_str(given, "abc");
}

static char *low_box, *high_box;

static void low(void *unused)
{
	int code;

	(void)unused;
	(void)sc_pend(&low_box, 0, &code);
	mark("low");
}

static void high(void *unused)
{
	int code;

	(void)unused;
	(void)sc_pend(&high_box, 0, &code);
	mark("high");
}

/* Created before: a task that creates one goes to Linux, and others run meanwhile. */
static void spawn_both(int low_prio, int high_prio)
{
	spawn(low, 11, low_prio);
	spawn(high, 12, high_prio);
	until_waits(11);
	until_waits(12);
}

static void wake_both(void *unused)
{
	(void)unused;
	WORKS(sc_lock, TRUST(sc_lock()));
	sc_post(&low_box, "low", &err);
	sc_post(&high_box, "high", &err);
	mark("both");
	WORKS(sc_unlock, TRUST(sc_unlock()));
	mark("after");
}

/* 0 is the most urgent. */
TEST(small_priorities_are_urgent)
{
	spawn_both(255, 1);
	spawn(wake_both, 10, 100);
	until_gone(10);
	until_gone(11);
	expect_marks("both high after low");
}

static void locked(void *unused)
{
	int code;

	(void)unused;
	sc_lock();
	sc_post(&high_box, "high", &code);
	mark("locked");
	sc_unlock();
	mark("still");
	sc_unlock();
	mark("unlocked");
}

TEST(mode_locks_the_scheduler)
{
	spawn_both(255, 1);
	(void)WORKS(sc_tecreate,
		    sc_tecreate(locked, 10, 100, 0x4 | 0x8 | 0x100, 0, 0, NULL, 0, &err));
	until_gone(10);
	expect_marks("locked still high unlocked");
}

static void change_own(void *unused)
{
	int pinfo[3];

	(void)unused;
	expect_true(WORKS(sc_tinquiry, sc_tinquiry(pinfo, 0, &err)) != NULL);
	expect_eq(pinfo[0], 10);
	expect_eq(pinfo[1], 100);
	expect_eq(pinfo[2], 0);
	sc_post(&low_box, "low", &err);
	WORKS(sc_tpriority, DO(sc_tpriority(0, 200, &err)));
	mark("weak");
	FAILS(sc_tpriority, ER_IIP, DO(sc_tpriority(0, 256, &err)));
	sc_post(&high_box, "high", &err);
	mark("equal");
	/* Behind its equal, at the same priority. */
	WORKS(sc_tpriority, DO(sc_tpriority(0, 200, &err)));
	mark("behind");
}

TEST(priority_is_told_and_changed)
{
	spawn_both(150, 200);
	spawn(change_own, 10, 100);
	until_gone(10);
	expect_marks("low weak equal high behind");
}

TEST(suspended_task_does_not_count_suspensions)
{
	int pinfo[3];

	spawn(wait_at_box, 5, 20);
	until_waits(5);
	WORKS(sc_tsuspend, DO(sc_tsuspend(5, 0, &err)));
	WORKS(sc_tsuspend, DO(sc_tsuspend(5, 0, &err)));
	expect_eq(WORKS(sc_tinquiry, sc_tinquiry(pinfo, 5, &err))->TCBSTAT, TBSSUSP | TBSMBOX);
	expect_eq(pinfo[2], TBSSUSP | TBSMBOX);
	sc_post(&box, "message", &err);
	settle();
	expect_marks("begins");
	WORKS(sc_tresume, DO(sc_tresume(5, 0, &err)));
	until_gone(5);
	expect_marks("begins goes");
}

static void suspend_self(void *unused)
{
	int code = UNTOLD;

	(void)unused;
	sc_tsuspend(0, 0, &code);
	mark(code == RET_OK ? "resumed" : "other");
}

TEST(task_suspends_itself_and_groups_are_resumed)
{
	spawn(suspend_self, 5, 20);
	spawn(suspend_self, 6, 20);
	spawn(suspend_self, 0, 20);
	until_waits(5);
	until_waits(6);
	WORKS(sc_tsuspend, DO(sc_tsuspend(21, 'A', &err)));
	WORKS(sc_tresume, DO(sc_tresume(20, 'A', &err)));
	until_gone(5);
	until_gone(6);
	settle();
	expect_marks("resumed resumed resumed");
}

static void delete_group(void *unused)
{
	(void)unused;
	mark("deletes");
	sc_tdelete(30, 'A', &err);
	mark("never");
}

static void delete_self(void *unused)
{
	(void)unused;
	mark("self");
	sc_tdelete(0, 0, &err);
	mark("never");
}

TEST(group_is_deleted_with_the_caller)
{
	spawn(wait_at_box, 5, 30);
	until_waits(5);
	spawn(delete_group, 6, 30);
	until_gone(6);
	until_gone(5);
	spawn(delete_self, 7, 30);
	until_gone(7);
	expect_marks("begins deletes self");
}

static volatile bool done;

static void count(void *unused)
{
	(void)unused;
	while (!done)
		tact_compute(TEST_MS);
}

static void finish(void *unused)
{
	(void)unused;
	done = true;
	mark("turn");
}

TEST(tasks_with_the_mode_take_turns)
{
	WORKS(sc_tslice, TRUST(sc_tslice(2)));
	(void)WORKS(sc_tecreate, sc_tecreate(count, 5, 50, 0x10, 0, 0, NULL, 0, &err));
	spawn(finish, 6, 50);
	until_gone(6);
	until_gone(5);
	done = false;
	WORKS(sc_tslice, TRUST(sc_tslice(0)));
	(void)WORKS(sc_tecreate, sc_tecreate(wait_at_box, 7, 50, 0x10, 0, 0, NULL, 0, &err));
	until_waits(7);
	sc_tslice(3);
	expect_marks("turn begins");
}

static void in_handler(void *unused)
{
	int pinfo[3] = {1, 1, 1};

	(void)unused;
	FAILS(sc_tcreate, VRTX_NOT_HERE, sc_tcreate(end_at_once, 1, 1, &err));
	FAILS(sc_tecreate, VRTX_NOT_HERE, sc_tecreate(end_at_once, 1, 1, 0, 0, 0, NULL, 0, &err));
	FAILS(sc_tdelete, VRTX_NOT_HERE, DO(sc_tdelete(5, 0, &err)));
	WORKS(sc_tsuspend, DO(sc_tsuspend(5, 0, &err)));
	WORKS(sc_tresume, DO(sc_tresume(5, 0, &err)));
	WORKS(sc_tpriority, DO(sc_tpriority(5, 21, &err)));
	(void)WORKS(sc_tinquiry, sc_tinquiry(pinfo, 0, &err));
	expect_eq(pinfo[0], 0);
	expect_eq(pinfo[1], 256);
	FAILS(sc_tinquiry, VRTX_NOT_HERE, sc_tinquiry(pinfo, 5, &err));
	WORKS(sc_tsuspend, DO(sc_tsuspend(21, 'A', &err)));
	sc_lock();
	sc_delay(1);
	sc_putc('x');
	sc_unlock();
}

TEST(handlers_act_on_tasks_and_create_none)
{
	int pinfo[3];

	spawn(wait_at_box, 5, 20);
	until_waits(5);
	test_in_handler(in_handler, NULL);
	(void)WORKS(sc_tinquiry, sc_tinquiry(pinfo, 5, &err));
	expect_eq(pinfo[1], 21);
	expect_eq(pinfo[2], TBSMBOX | TBSSUSP);
	expect_eq(WORKS(sc_gversion, (err = RET_OK, sc_gversion())), 6);
	WORKS(sc_putc, TRUST(sc_putc('#'), sc_putc('\n')));
}

static void go_back(void *unused)
{
	int code;

	(void)unused;
	mark("raised");
	sc_tpriority(0, 60, &code);
	expect_eq(code, RET_OK);
	mark("back");
}

static void raise_other(void *unused)
{
	int code;

	(void)unused;
	expect_eq(sc_tcreate(go_back, 6, 60, &code), 6);
	sc_tpriority(6, 50, &code);
	expect_eq(code, RET_OK);
	mark("goes_on");
}

/* A task that is raised runs at once, before the call has returned that raises it. */
TEST(priority_that_a_raised_task_gives_back_counts)
{
	spawn(raise_other, 5, 55);
	until_gone(5);
	until_gone(6);
	expect_marks("raised goes_on back");
}
