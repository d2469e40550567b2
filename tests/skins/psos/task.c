/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks: creation, start, priorities, suspension, names, notepads, deletion. */
#include "psos_test.h"

#include <pthread.h>

static unsigned long told[4];

static void tell(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	told[0] = a;
	told[1] = b;
	told[2] = c;
	told[3] = d;
	mark("ran");
}

TEST(the_entry_gets_four_words)
{
	unsigned long words[4] = {1, ~0ul, 3, 1ul << 63};
	unsigned long tid = 0;

	(void)WORKS(t_create, t_create("TASK", 20, 1024, 1024, T_GLOBAL | T_FPU, &tid));
	(void)WORKS(t_start, t_start(tid, T_SUPV, tell, words));
	until_gone(tid);
	expect_eq(told[0], 1);
	expect_eq(told[1], ~0ul);
	expect_eq(told[2], 3);
	expect_eq(told[3], 1ul << 63);
	(void)WORKS(t_create, t_create("TASK", 20, 0, 0, 0, &tid));
	(void)WORKS(t_start, t_start(tid, 0, tell, NULL));
	until_gone(tid);
	expect_eq(told[0] | told[1] | told[2] | told[3], 0);
	expect_marks("ran ran");
}

static void wait_suspended(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(t_suspend, t_suspend(0));
	mark("on");
}

TEST(starts_are_checked)
{
	unsigned long tid = start("SUSP", 10, wait_suspended, 0);
	unsigned long other;

	FAILS(t_create, ERR_PRIOR, t_create("T", 0, 0, 0, 0, &other));
	FAILS(t_create, ERR_PRIOR, t_create("T", 256, 0, 0, 0, &other));
	FAILS(t_create, ERR_NOSTK, t_create("T", 10, ~0ul, 1, 0, &other));
	FAILS(t_create, ERR_NOSTK, t_create("T", 10, 1ul << 60, 0, 0, &other));
	FAILS(t_create, ERR_SSFN, t_create("T", 10, 0, 0, 0x8000, &other));
	FAILS(t_start, ERR_ACTIVE, t_start(tid, 0, tell, NULL));
	(void)WORKS(t_create, t_create("T", 255, 0, 0, 0, &other));
	FAILS(t_start, ERR_SSFN, t_start(other, 0, NULL, NULL));
	FAILS(t_start, ERR_SSFN, t_start(other, 0x10000, tell, NULL));
	/* A task that was never started can be deleted. */
	(void)WORKS(t_delete, t_delete(other));
	FAILS(t_start, ERR_OBJDEL, t_start(other, 0, tell, NULL));
	(void)WORKS(t_delete, t_delete(tid));
}

TEST(suspensions_are_not_counted)
{
	unsigned long tid = start("SUSP", 10, wait_suspended, 0);

	until_state("SUSP", TACT_TASK_STATE_SUSPENDED);
	FAILS(t_suspend, ERR_SUSP, t_suspend(tid));
	(void)WORKS(t_resume, t_resume(tid));
	until_gone(tid);
	expect_marks("on");
	FAILS(t_resume, ERR_OBJDEL, t_resume(tid));
	tid = start("WAIT", 10, wait_suspended, 0);
	until_state("WAIT", TACT_TASK_STATE_SUSPENDED);
	(void)WORKS(t_resume, t_resume(tid));
	until_gone(tid);
	(void)WORKS(t_create, t_create("IDLE", 10, 0, 0, 0, &tid));
	FAILS(t_resume, ERR_NOTSUSP, t_resume(tid));
	(void)WORKS(t_delete, t_delete(tid));
}

static unsigned long sem;

static void wait_for_token(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	expect_ok(sm_p(sem, SM_WAIT, 0));
	mark("token");
}

TEST(a_wait_goes_on_while_the_task_is_suspended)
{
	unsigned long tid;

	sem = a_semaphore(0);
	tid = start("BOTH", 10, wait_for_token, 0);
	until_waits("BOTH");
	(void)WORKS(t_suspend, t_suspend(tid));
	(void)WORKS(sm_v, sm_v(sem));
	expect_ok(tm_wkafter(2));
	expect_marks("");
	(void)WORKS(t_resume, t_resume(tid));
	until_gone(tid);
	expect_marks("token");
}

static void ask_self(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long self = 0;
	unsigned long found = 0;
	unsigned long old = 0;
	unsigned long value = 1;

	(void)a, (void)b, (void)c, (void)d;
	(void)WORKS(t_ident, t_ident(NULL, 0, &self));
	(void)WORKS(t_ident, t_ident("SELF", 0, &found));
	expect_eq(self, found);
	(void)WORKS(t_ident, t_ident("", 0, &found));
	expect_eq(self, found);
	(void)WORKS(t_setpri, t_setpri(0, 0, &old));
	expect_eq(old, 33);
	(void)WORKS(t_setpri, t_setpri(self, 44, &old));
	expect_eq(old, 33);
	(void)WORKS(t_setpri, t_setpri(0, 0, &old));
	expect_eq(old, 44);
	(void)WORKS(t_setpri, t_setpri(0, 1, NULL));
	FAILS(t_setpri, ERR_SETPRI, t_setpri(0, 256, &old));
	for (unsigned long i = 0; i < 16; i++) {
		(void)WORKS(t_getreg, t_getreg(0, i, &value));
		expect_eq(value, 0);
		(void)WORKS(t_setreg, t_setreg(self, i, i << 40));
	}
	(void)WORKS(t_getreg, t_getreg(self, 15, &value));
	expect_eq(value, 15ul << 40);
	FAILS(t_getreg, ERR_REGNUM, t_getreg(0, 16, &value));
	FAILS(t_setreg, ERR_REGNUM, t_setreg(0, ~0ul, 0));
	FAILS(t_shadow, ERR_SSFN, t_shadow("TWO", 10, 0, NULL));
	FAILS(t_resume, ERR_NOTSUSP, t_resume(0));
	mark("self");
	(void)t_delete(0);
	mark("never");
}

TEST(a_task_knows_itself)
{
	unsigned long found;

	until_gone(start("SELF", 33, ask_self, 0));
	expect_marks("self");
	FAILS(t_ident, ERR_OBJNF, t_ident("SELF", 0, &found));
	FAILS(t_ident, ERR_OBJNF, t_ident(NULL, 0, &found));
	FAILS(t_ident, ERR_NODENO, t_ident("SELF", 1, &found));
	FAILS(t_ident, ERR_NODENO, t_ident(NULL, 2, &found));
}

static void mark_word(unsigned long word, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	expect_ok(sm_p(sem, SM_WAIT, 0));
	mark((const char *)word);
}

TEST(priority_254_goes_before_253_and_after_255)
{
	unsigned long tid[3];

	expect_ok(sm_create("GATE", 0, SM_PRIOR, &sem));
	tid[0] = start("253", 253, mark_word, (unsigned long)"253");
	tid[1] = start("255", 255, mark_word, (unsigned long)"255");
	tid[2] = start("254", 254, mark_word, (unsigned long)"254");
	until_waits("253");
	until_waits("255");
	until_waits("254");
	for (int i = 0; i < 3; i++)
		expect_ok(sm_v(sem));
	for (int i = 0; i < 3; i++)
		until_gone(tid[i]);
	expect_marks("255 254 253");
}

TEST(a_waiting_and_a_suspended_task_can_be_deleted)
{
	unsigned long waiting;
	unsigned long suspended = start("SUSP", 20, wait_suspended, 0);

	sem = a_semaphore(0);
	waiting = start("WAIT", 10, wait_for_token, 0);
	until_waits("WAIT");
	(void)WORKS(t_delete, t_delete(waiting));
	(void)WORKS(t_delete, t_delete(suspended));
	FAILS(t_delete, ERR_OBJDEL, t_delete(waiting));
	expect_ok(tm_wkafter(2));
	expect_marks("");
	/* No waiter is left. */
	(void)WORKS(sm_delete, sm_delete(sem));
}

TEST(two_tasks_of_one_name_are_two)
{
	unsigned long first = start("SAME", 10, wait_suspended, 0);
	unsigned long second = start("SAME", 10, wait_suspended, 0);
	unsigned long found = 0;

	expect_true(first != second);
	(void)WORKS(t_ident, t_ident("SAME", 0, &found));
	expect_true(found == first || found == second);
	(void)WORKS(t_delete, t_delete(found));
	(void)WORKS(t_ident, t_ident("SAME", 0, &found));
	(void)WORKS(t_delete, t_delete(found));
	FAILS(t_ident, ERR_OBJNF, t_ident("SAME", 0, &found));
}

static unsigned long handled;

static void in_handler(void *unused)
{
	unsigned long value;

	(void)unused;
	FAILS(t_create, ERR_SSFN, t_create("T", 10, 0, 0, 0, &value));
	FAILS(t_start, ERR_SSFN, t_start(handled, 0, tell, NULL));
	FAILS(t_delete, ERR_SSFN, t_delete(handled));
	FAILS(t_setpri, ERR_SSFN, t_setpri(handled, 20, NULL));
	FAILS(t_suspend, ERR_OBJID, t_suspend(0));
	FAILS(t_suspend, ERR_SUSP, t_suspend(handled));
	(void)WORKS(t_ident, t_ident("SUSP", 0, &value));
	expect_eq(value, handled);
	(void)WORKS(t_setreg, t_setreg(handled, 7, 77));
	(void)WORKS(t_getreg, t_getreg(handled, 7, &value));
	expect_eq(value, 77);
	(void)WORKS(t_resume, t_resume(handled));
	mark("handler");
}

TEST(handlers_may_resume)
{
	handled = start("SUSP", 10, wait_suspended, 0);
	until_state("SUSP", TACT_TASK_STATE_SUSPENDED);
	test_in_handler(in_handler, NULL);
	until_gone(handled);
	expect_marks("handler on");
}

static void *in_thread(void *unused)
{
	unsigned long tid = 0;
	unsigned long found = 0;

	FAILS(t_shadow, ERR_PRIOR, t_shadow("SHAD", 0, 0, &tid));
	FAILS(t_shadow, ERR_SSFN, t_shadow("SHAD", 10, 0x40, &tid));
	(void)WORKS(t_shadow, t_shadow("SHAD", 10, 0, &tid));
	(void)WORKS(t_ident, t_ident(NULL, 0, &found));
	expect_eq(found, tid);
	(void)WORKS(t_setreg, t_setreg(0, 1, 5));
	expect_ok(tm_wkafter(1));
	return unused;
}

TEST(a_thread_becomes_a_task)
{
	pthread_t thread;
	unsigned long found;

	if (test_on_sim())
		test_skip("the simulation has one Linux thread");
	expect_ok(pthread_create(&thread, NULL, in_thread, NULL));
	expect_ok(pthread_join(thread, NULL));
	for (int i = 0; i < 1000 && !t_ident("SHAD", 0, &found); i++)
		expect_ok(tm_wkafter(1));
	FAILS(t_ident, ERR_OBJNF, t_ident("SHAD", 0, &found));
}

static void no_task_of_psos(void *unused)
{
	unsigned long found;

	(void)unused;
	FAILS(t_mode, ERR_SSFN, t_mode(0, 0, &found));
	FAILS(ev_receive, ERR_SSFN, ev_receive(1, EV_NOWAIT, 0, &found));
	FAILS(as_catch, ERR_SSFN, as_catch(NULL, 0));
	FAILS(as_return, ERR_NOTINASR, as_return());
	FAILS(tm_evafter, ERR_SSFN, tm_evafter(1, 1, &found));
	FAILS(t_ident, ERR_OBJNF, t_ident(NULL, 0, &found));
	(void)WORKS(tm_wkafter, tm_wkafter(1));
	mark("native");
}

TEST(a_task_of_the_nucleus_is_none_of_psos)
{
	/* Region 0 and so on are there: the start of pSOS+ was in main(). */
	(void)a_semaphore(0);
	test_join(test_spawn(10, no_task_of_psos, NULL));
	expect_marks("native");
}
