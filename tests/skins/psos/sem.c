/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores: tokens, order, timeouts, deletion under waiters, callers. */
#include "exact.h"
#include "psos_test.h"

static unsigned long sem;

static void take_one(unsigned long name, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long code = sm_p(sem, SM_WAIT, 0);

	(void)b, (void)c, (void)d;
	mark(code == 0 ? (const char *)name : code == ERR_SKILLD ? "killed" : "other");
}

static void three(const char *const name[3], const unsigned long prio[3])
{
	for (int i = 0; i < 3; i++) {
		(void)start(name[i], prio[i], take_one, (unsigned long)name[i]);
		until_waits(name[i]);
	}
}

static const char *const names[3] = {"LOW", "HIGH", "MID"};
static const unsigned long prios[3] = {10, 30, 20};

static void serve(unsigned long flags, const char *expected)
{
	expect_ok(sm_create("SEM1", 0, flags, &sem));
	three(names, prios);
	for (int i = 0; i < 3; i++) {
		(void)WORKS(sm_v, sm_v(sem));
		expect_ok(tm_wkafter(1));
	}
	expect_marks(expected);
}

TEST(fifo_serves_in_order_of_arrival)
{
	serve(SM_FIFO, "LOW HIGH MID");
}

TEST(prior_serves_by_priority)
{
	serve(SM_PRIOR, "HIGH MID LOW");
}

TEST(deletion_tells_waiters_and_deleter)
{
	(void)WORKS(sm_create, sm_create("SEM1", 0, SM_PRIOR | SM_GLOBAL, &sem));
	three(names, prios);
	FAILS(sm_delete, ERR_TATSDEL, sm_delete(sem));
	expect_ok(tm_wkafter(1));
	expect_marks("killed killed killed");
	FAILS(sm_p, ERR_OBJDEL, sm_p(sem, SM_NOWAIT, 0));
}

static void is_killed(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	FAILS(sm_p, ERR_SKILLD, sm_p(sem, SM_WAIT, 0));
	mark("killed");
}

TEST(tokens_are_counted)
{
	sem = a_semaphore(2);
	(void)WORKS(sm_p, sm_p(sem, SM_NOWAIT, 0));
	(void)WORKS(sm_p, sm_p(sem, SM_WAIT, 0));
	FAILS(sm_p, ERR_NOSEM, sm_p(sem, SM_NOWAIT, 5));
	(void)WORKS(sm_v, sm_v(sem));
	(void)WORKS(sm_p, sm_p(sem, SM_WAIT, 1));
	(void)WORKS(sm_delete, sm_delete(sem));
	sem = a_semaphore(0);
	(void)start("KILL", 10, is_killed, 0);
	until_waits("KILL");
	FAILS(sm_delete, ERR_TATSDEL, sm_delete(sem));
	expect_ok(tm_wkafter(1));
	expect_marks("killed");
}

static void wait_ticks(unsigned long ticks, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long long before = 0;
	unsigned long long after = 0;

	(void)b, (void)c, (void)d;
	(void)WORKS(tm_getc, tm_getc(&before));
	FAILS(sm_p, ERR_TIMEOUT, sm_p(sem, SM_WAIT, ticks));
	(void)WORKS(tm_getc, tm_getc(&after));
	/* The n-th tick from now, however late the task is on a real machine. */
	expect_true(test_exact() ? after - before == ticks : after - before >= ticks);
	mark("late");
}

TEST(timeouts_are_in_ticks)
{
	sem = a_semaphore(0);
	until_gone(start("T1", 10, wait_ticks, 1));
	until_gone(start("T7", 10, wait_ticks, 7));
	until_gone(start("T100", 10, wait_ticks, 100));
	expect_marks("late late late");
}

TEST(a_token_comes_before_the_timeout)
{
	sem = a_semaphore(0);
	(void)start("TAKE", 10, take_one, (unsigned long)"taken");
	until_waits("TAKE");
	expect_ok(tm_wkafter(3));
	(void)WORKS(sm_v, sm_v(sem));
	expect_ok(tm_wkafter(1));
	expect_marks("taken");
}

static void in_handler(void *unused)
{
	unsigned long other;

	(void)unused;
	FAILS(sm_create, ERR_SSFN, sm_create("S", 0, 0, &other));
	FAILS(sm_delete, ERR_SSFN, sm_delete(sem));
	FAILS(sm_p, ERR_SSFN, sm_p(sem, SM_WAIT, 0));
	FAILS(sm_p, ERR_NOSEM, sm_p(sem, SM_NOWAIT, 0));
	(void)WORKS(sm_v, sm_v(sem));
	(void)WORKS(sm_p, sm_p(sem, SM_WAIT, 0));
	(void)WORKS(sm_ident, sm_ident("SEMA", 0, &other));
	mark("handler");
}

TEST(handlers_give_and_never_wait)
{
	sem = a_semaphore(0);
	test_in_handler(in_handler, NULL);
	expect_marks("handler");
}

TEST(names_have_four_characters_and_may_be_the_same)
{
	unsigned long first;
	unsigned long second;
	unsigned long found = 0;
	char bytes[4] = {'A', 'B', 'C', 'D'};

	(void)WORKS(sm_create, sm_create("ABCDEF", 0, 0, &first));
	(void)WORKS(sm_ident, sm_ident("ABCDxx", 0, &found));
	expect_eq(found, first);
	(void)WORKS(sm_create, sm_create(bytes, 0, 0, &second));
	expect_true(first != second);
	(void)WORKS(sm_ident, sm_ident(bytes, 0, &found));
	expect_true(found == first || found == second);
	(void)WORKS(sm_delete, sm_delete(first));
	(void)WORKS(sm_ident, sm_ident(bytes, 0, &found));
	expect_eq(found, second);
	(void)WORKS(sm_ident, sm_ident(bytes, 0, NULL));
	FAILS(sm_ident, ERR_NODENO, sm_ident(bytes, 1, &found));
	FAILS(sm_ident, ERR_OBJNF, sm_ident("EFGH", 0, &found));
	FAILS(sm_ident, ERR_OBJNF, sm_ident(NULL, 0, &found));
	FAILS(sm_ident, ERR_OBJNF, sm_ident("", 0, &found));
	(void)WORKS(sm_create, sm_create(NULL, 0, 0, NULL));
	(void)WORKS(sm_create, sm_create("a\nb", 0, 0, &first));
	(void)WORKS(sm_ident, sm_ident("a\nb", 0, &found));
	expect_eq(found, first);
}

TEST(wrong_arguments_are_refused)
{
	FAILS(sm_create, ERR_SSFN, sm_create("S", 0, 0x80, &sem));
	FAILS(sm_create, ERR_NOSCB, sm_create("S", 0x80000000ul, 0, &sem));
	(void)WORKS(sm_create, sm_create("S", 0x7fffffff, 0, &sem));
	FAILS(sm_v, ERR_SSFN, sm_v(sem));
	FAILS(sm_p, ERR_SSFN, sm_p(sem, 0x10, 0));
	FAILS(sm_av, ERR_SSFN, sm_av(sem));
}
