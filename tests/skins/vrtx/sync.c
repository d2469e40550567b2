/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Semaphores, event flags and mutexes. */
#include "vrtx_check.h"

static int id;

TASK_TEST(semaphore_counts)
{
	id = WORKS(sc_screate, sc_screate(1, 0, &err));
	expect_eq(WORKS(sc_sinquiry, sc_sinquiry(id, &err)), 1);
	WORKS(sc_spend, DO(sc_spend(id, 0, &err)));
	FAILS(sc_saccept, ER_NMP, DO(sc_saccept(id, &err)));
	FAILS(sc_spend, ER_TMO, DO(sc_spend(id, 1, &err)));
	FAILS(sc_spend, ER_TMO, DO(sc_spend(id, 12, &err)));
	WORKS(sc_spost, DO(sc_spost(id, &err)));
	WORKS(sc_saccept, DO(sc_saccept(id, &err)));
	WORKS(sc_sdelete, DO(sc_sdelete(id, 0, &err)));
	FAILS(sc_sdelete, ER_ID, DO(sc_sdelete(id, 0, &err)));
	FAILS(sc_spend, ER_ID, DO(sc_spend(id, 0, &err)));
	FAILS(sc_saccept, ER_ID, DO(sc_saccept(0, &err)));
	FAILS(sc_spost, ER_ID, DO(sc_spost(-1, &err)));
	FAILS(sc_sinquiry, ER_ID, sc_sinquiry(12345, &err));
	FAILS(sc_screate, ER_IIP, sc_screate(1, 2, &err));
	FAILS(sc_screate, ER_IIP, sc_screate(65536, 0, &err));
	id = WORKS(sc_screate, sc_screate(65535, 1, &err));
	FAILS(sc_spost, ER_OVF, DO(sc_spost(id, &err)));
	FAILS(sc_sdelete, ER_IIP, DO(sc_sdelete(id, 2, &err)));
	/* The id of another type. */
	FAILS(sc_fpost, ER_ID, DO(sc_fpost(id, 1, &err)));
	FAILS(sc_mpend, ER_ID, DO(sc_mpend(id, 0, &err)));
}

static void spend(void *unused)
{
	int code, pinfo[3];

	(void)unused;
	sc_spend(id, 0, &code);
	mark(code == RET_OK ? "taken" : code == ER_DEL ? "deleted" : "broken");
	(void)sc_tinquiry(pinfo, 0, &code);
	mark(pinfo[0] == 5 ? "five" : "six");
}

static void order(int opt, int first, const char *marks)
{
	int pinfo[3];

	id = sc_screate(0, opt, &err);
	spawn(spend, 5, 100);
	until_waits(5);
	spawn(spend, 6, 50);
	until_waits(6);
	(void)sc_tinquiry(pinfo, 6, &err);
	expect_eq(pinfo[2], TBSSEMA);
	sc_spost(id, &err);
	until_gone(first);
	sc_spost(id, &err);
	until_gone(5);
	until_gone(6);
	expect_marks(marks);
}

TEST(semaphore_by_priority)
{
	order(0, 6, "taken six taken five");
}

TEST(semaphore_by_arrival)
{
	order(1, 5, "taken five taken six");
}

static void spend_and_fail(void *unused)
{
	(void)unused;
	FAILS(sc_spend, VRTX_BROKEN, DO(sc_spend(id, 0, &err)));
	mark("broken");
	FAILS(sc_spend, ER_DEL, DO(sc_spend(id, 0, &err)));
	mark("deleted");
}

TEST(semaphore_is_deleted_under_waiters)
{
	id = sc_screate(0, 0, &err);
	spawn(spend_and_fail, 5, 50);
	until_waits(5);
	expect_ok(tact_task_unblock(task_of(5), 0));
	while (!*test_marks())
		settle();
	until_waits(5);
	FAILS(sc_sdelete, ER_PND, DO(sc_sdelete(id, 0, &err)));
	sc_sdelete(id, 1, &err);
	until_gone(5);
	expect_marks("broken deleted");
}

TASK_TEST(flags_are_set_and_cleared)
{
	id = WORKS(sc_fcreate, sc_fcreate(&err));
	expect_eq(WORKS(sc_finquiry, sc_finquiry(id, &err)), 0);
	WORKS(sc_fpost, DO(sc_fpost(id, 0x5, &err)));
	/* One was set already, the other is set now. */
	FAILS(sc_fpost, ER_OVF, DO(sc_fpost(id, 0x6, &err)));
	expect_eq(WORKS(sc_finquiry, sc_finquiry(id, &err)), 0x7);
	expect_eq(WORKS(sc_fpend, sc_fpend(id, 0, 0x9, 0, &err)), 0x7);
	FAILS(sc_fpend, ER_TMO, sc_fpend(id, 1, 0x9, 1, &err));
	FAILS(sc_fpend, ER_TMO, sc_fpend(id, 30, 0x8, 0, &err));
	expect_eq(WORKS(sc_fpend, sc_fpend(id, 0, 0x3, 1, &err)), 0x7);
	expect_eq(WORKS(sc_fclear, sc_fclear(id, 0x3, &err)), 0x7);
	expect_eq(sc_finquiry(id, &err), 0x4);
	WORKS(sc_fpost, DO(sc_fpost(id, (int)0x80000000u, &err)));
	expect_eq((unsigned)WORKS(sc_fpend, sc_fpend(id, 0, (int)0x80000000u, 1, &err)),
		  0x80000004u);
	FAILS(sc_fpend, ER_IIP, sc_fpend(id, 0, 0, 0, &err));
	FAILS(sc_fpend, ER_IIP, sc_fpend(id, 0, 1, 2, &err));
	FAILS(sc_fdelete, ER_IIP, DO(sc_fdelete(id, 2, &err)));
	WORKS(sc_fdelete, DO(sc_fdelete(id, 0, &err)));
	FAILS(sc_fdelete, ER_ID, DO(sc_fdelete(id, 0, &err)));
	FAILS(sc_fpend, ER_ID, sc_fpend(id, 0, 1, 0, &err));
	FAILS(sc_fclear, ER_ID, sc_fclear(id, 1, &err));
	FAILS(sc_finquiry, ER_ID, sc_finquiry(id, &err));
}

static void fpend_all(void *unused)
{
	(void)unused;
	expect_eq(WORKS(sc_fpend, sc_fpend(id, 0, 0x3, 1, &err)), 0x7);
	mark("all");
	FAILS(sc_fpend, VRTX_BROKEN, sc_fpend(id, 0, 0x8, 0, &err));
	mark("broken");
	FAILS(sc_fpend, ER_DEL, sc_fpend(id, 0, 0x8, 0, &err));
	mark("deleted");
}

TEST(flags_release_waiters)
{
	int pinfo[3];
	int mine; /* err is the task's when it runs meanwhile */

	id = sc_fcreate(&err);
	spawn(fpend_all, 5, 50);
	until_waits(5);
	(void)sc_tinquiry(pinfo, 5, &err);
	expect_eq(pinfo[2], TBSFLAG);
	sc_fpost(id, 0x5, &err);
	settle();
	expect_marks("");
	sc_fpost(id, 0x2, &err);
	while (!*test_marks())
		settle();
	until_waits(5);
	expect_ok(tact_task_unblock(task_of(5), 0));
	while (!strstr(test_marks(), "broken"))
		settle();
	until_waits(5);
	FAILS(sc_fdelete, ER_PND, DO(sc_fdelete(id, 0, &err)));
	sc_fdelete(id, 1, &mine);
	expect_eq(mine, 0);
	until_gone(5);
	expect_marks("all broken deleted");
}

static void own(void *unused)
{
	int code;

	(void)unused;
	id = WORKS(sc_mcreate, sc_mcreate(2, &err));
	expect_eq(WORKS(sc_minquiry, sc_minquiry(id, &err)), 1);
	WORKS(sc_mpend, DO(sc_mpend(id, 0, &err)));
	/* Again, which counts nothing. */
	WORKS(sc_mpend, DO(sc_mpend(id, 0, &err)));
	FAILS(sc_maccept, ER_PND, DO(sc_maccept(id, &err)));
	expect_eq(WORKS(sc_minquiry, sc_minquiry(id, &err)), 0);
	(void)sc_pend((char *[]){NULL}, 30, &code);
	WORKS(sc_mpost, DO(sc_mpost(id, &err)));
	FAILS(sc_mpost, ER_ID, DO(sc_mpost(id, &err)));
	WORKS(sc_maccept, DO(sc_maccept(id, &err)));
	FAILS(sc_mdelete, ER_PND, DO(sc_mdelete(id, 0, &err)));
	WORKS(sc_mdelete, DO(sc_mdelete(id, 1, &err)));
	FAILS(sc_mdelete, ER_ID, DO(sc_mdelete(id, 1, &err)));
	FAILS(sc_maccept, ER_ID, DO(sc_maccept(id, &err)));
	FAILS(sc_minquiry, ER_ID, sc_minquiry(id, &err));
	mark("owned");
}

static void want(void *unused)
{
	(void)unused;
	FAILS(sc_maccept, ER_PND, DO(sc_maccept(id, &err)));
	FAILS(sc_mpend, ER_TMO, DO(sc_mpend(id, 1, &err)));
	FAILS(sc_mpost, ER_ID, DO(sc_mpost(id, &err)));
	FAILS(sc_mdelete, ER_PND, DO(sc_mdelete(id, 1, &err)));
	mark("wanted");
}

TEST(mutex_belongs_to_its_owner)
{
	spawn(own, 5, 50);
	until_waits(5);
	spawn(want, 6, 60);
	until_gone(6);
	until_gone(5);
	expect_marks("wanted owned");
	FAILS(sc_mcreate, ER_IIP, sc_mcreate(3, &err));
	id = WORKS(sc_mcreate, sc_mcreate(0, &err));
	FAILS(sc_mdelete, ER_IIP, DO(sc_mdelete(id, 2, &err)));
	WORKS(sc_mdelete, DO(sc_mdelete(id, 0, &err)));
}

static char *never;

static void hold(void *unused)
{
	int code;

	(void)unused;
	sc_mpend(id, 0, &code);
	mark("holds");
	(void)sc_pend(&never, 0, &code);
	sc_mdelete(id, 1, &code);
}

static void wait_for_mutex(void *unused)
{
	(void)unused;
	FAILS(sc_mpend, VRTX_BROKEN, DO(sc_mpend(id, 0, &err)));
	mark("broken");
	FAILS(sc_mpend, ER_DEL, DO(sc_mpend(id, 0, &err)));
	mark("deleted");
}

static void mutex_lends(unsigned opt, int expected)
{
	struct tact_task_info info = {0};
	int pinfo[3];

	id = sc_mcreate(opt, &err);
	spawn(hold, 5, 100);
	until_waits(5);
	spawn(wait_for_mutex, 6, 50);
	until_waits(6);
	(void)sc_tinquiry(pinfo, 6, &err);
	expect_eq(pinfo[2], TBSMUTEX);
	expect_ok(tact_task_inquire(task_of(5), &info));
	expect_eq(256 - (int)info.priority, expected);
	expect_ok(tact_task_unblock(task_of(6), 0));
	while (!strstr(test_marks(), "broken"))
		settle();
	until_waits(6);
	sc_post(&never, "go", &err);
	until_gone(6);
	until_gone(5);
	expect_marks("holds broken deleted");
}

TEST(owner_inherits_with_the_option)
{
	mutex_lends(2, 50);
}

TEST(owner_keeps_its_priority_without)
{
	mutex_lends(1, 100);
}

static void hold_and_end(void *unused)
{
	(void)unused;
	WORKS(sc_mpend, DO(sc_mpend(id, 0, &err)));
}

static void take_over(void *unused)
{
	(void)unused;
	WORKS(sc_mpend, DO(sc_mpend(id, 0, &err)));
	WORKS(sc_mpost, DO(sc_mpost(id, &err)));
	mark("over");
}

TEST(mutex_of_a_task_that_has_ended_is_free)
{
	id = sc_mcreate(0, &err);
	spawn(hold_and_end, 5, 50);
	until_gone(5);
	spawn(take_over, 6, 50);
	until_gone(6);
	expect_marks("over");
}

static int sem, flags, mutex;

static void in_handler(void *unused)
{
	(void)unused;
	FAILS(sc_screate, VRTX_NOT_HERE, sc_screate(1, 0, &err));
	FAILS(sc_sdelete, VRTX_NOT_HERE, DO(sc_sdelete(sem, 0, &err)));
	FAILS(sc_spend, VRTX_NOT_HERE, DO(sc_spend(sem, 0, &err)));
	WORKS(sc_spost, DO(sc_spost(sem, &err)));
	WORKS(sc_spend, DO(sc_spend(sem, 0, &err)));
	FAILS(sc_fcreate, VRTX_NOT_HERE, sc_fcreate(&err));
	FAILS(sc_fdelete, VRTX_NOT_HERE, DO(sc_fdelete(flags, 0, &err)));
	FAILS(sc_fpend, VRTX_NOT_HERE, sc_fpend(flags, 3, 1, 0, &err));
	WORKS(sc_fpost, DO(sc_fpost(flags, 3, &err)));
	expect_eq(WORKS(sc_fpend, sc_fpend(flags, 3, 1, 0, &err)), 3);
	expect_eq(WORKS(sc_fclear, sc_fclear(flags, 1, &err)), 3);
	FAILS(sc_mcreate, VRTX_NOT_HERE, sc_mcreate(0, &err));
	FAILS(sc_mdelete, VRTX_NOT_HERE, DO(sc_mdelete(mutex, 0, &err)));
	FAILS(sc_mpend, VRTX_NOT_HERE, DO(sc_mpend(mutex, 0, &err)));
	FAILS(sc_maccept, VRTX_NOT_HERE, DO(sc_maccept(mutex, &err)));
	expect_eq(WORKS(sc_minquiry, sc_minquiry(mutex, &err)), 1);
}

TEST(handler_posts_and_does_not_wait)
{
	sem = sc_screate(0, 0, &err);
	flags = sc_fcreate(&err);
	mutex = sc_mcreate(0, &err);
	test_in_handler(in_handler, NULL);
}
