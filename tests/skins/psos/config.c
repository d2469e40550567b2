/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A program with a configuration: limits of objects, the rate of the clock, drivers, k_fatal(). */
#include "exact.h"
#include "psos_test.h"

#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;
static unsigned long fatal_code;

static void on_fatal(unsigned long code)
{
	fatal_code = code;
	longjmp(back, 1);
}

static unsigned long opened;

static void drv_init(struct ioparms *parms)
{
	parms->io_data_area = &opened;
	parms->out_retval = 1;
}

static void drv_open(struct ioparms *parms)
{
	opened = parms->in_dev & 0xffff;
	parms->out_retval = parms->tid;
}

static void drv_read(struct ioparms *parms)
{
	parms->used = 1;
	parms->out_retval = *(unsigned long *)parms->in_iopb + 1;
}

static void drv_cntrl(struct ioparms *parms)
{
	parms->err = 0x10010237;
}

#define REFUSED ((void (*)(struct ioparms *)) - 1)

static struct pSOS_IO_Jump_Table drivers[] = {
	{.dev_init = NULL},
	{.dev_init = drv_init,
	 .dev_open = drv_open,
	 .dev_read = drv_read,
	 .dev_write = REFUSED,
	 .dev_ioctl = drv_cntrl,
	 .flags = IO_AUTOINIT},
	{REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, REFUSED, 0, 0, 0},
};

const pSOS_CT psos_config = {
	.kc_rn0len = 65536,
	.kc_rn0usize = 64,
	.kc_ntask = 2,
	.kc_nqueue = 2,
	.kc_nsema4 = 2,
	.kc_ntimer = 2,
	/* Region 0 is one of them. */
	.kc_nlocobj = 4,
	.kc_nmsgbuf = 3,
	.kc_ticks2sec = 60,
	.kc_ticks2slice = 2,
	.kc_nio = 3,
	.kc_iojtable = drivers,
	.kc_fatal = on_fatal,
};

static void nothing(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
}

TEST(tasks_end_and_make_room)
{
	unsigned long tid[2];

	for (int i = 0; i < 2; i++)
		(void)WORKS(t_create, t_create("T", 10, 0, 0, 0, &tid[i]));
	FAILS(t_create, ERR_NOTCB, t_create("T", 10, 0, 0, 0, NULL));
	if (!test_on_sim())
		FAILS(t_shadow, ERR_NOTCB, t_shadow("T", 10, 0, NULL));
	(void)WORKS(t_delete, t_delete(tid[0]));
	(void)WORKS(t_start, t_start(tid[1], 0, nothing, NULL));
	until_gone(tid[1]);
	for (int i = 0; i < 100; i++) {
		unsigned long code = t_create("T", 10, 0, 0, 0, &tid[0]);

		/* The end of a task is seen to soon after it. */
		if (!code)
			break;
		expect_eq(code, ERR_NOTCB);
		expect_ok(tm_wkafter(1));
	}
	(void)WORKS(t_delete, t_delete(tid[0]));
}

TEST(a_driver_is_not_entered_beside_the_table_of_the_program)
{
	unsigned long retval = 0;

	capture_reports();
	InstallDriver(2, drv_init, drv_open, NULL, NULL, NULL, NULL, 0, 0, 0);
	expect_report("InstallDriver(): driver 2 is not entered, because kc_iojtable");
	expect_eq(de_open(2 << 16, NULL, &retval), ERR_NODR);
}

TEST(objects_have_limits)
{
	static _Alignas(16) char memory[3][8192];
	unsigned long id[2];
	unsigned long last;

	for (int i = 0; i < 2; i++)
		(void)WORKS(sm_create, sm_create("S", 0, 0, &id[i]));
	FAILS(sm_create, ERR_NOSCB, sm_create("S", 0, 0, &last));
	(void)WORKS(q_create, q_create("Q", 1, Q_LIMIT, &last));
	FAILS(q_create, ERR_OBJTFULL, q_create("Q", 1, Q_LIMIT, NULL));
	FAILS(q_vcreate, ERR_OBJTFULL, q_vcreate("Q", 0, 1, 1, NULL));
	FAILS(t_create, ERR_OBJTFULL, t_create("T", 10, 0, 0, 0, NULL));
	if (!test_on_sim())
		FAILS(t_shadow, ERR_OBJTFULL, t_shadow("T", 10, 0, NULL));
	FAILS(pt_create, ERR_OBJTFULL, pt_create("P", memory[0], NULL, 8192, 64, 0, NULL, NULL));
	FAILS(rn_create, ERR_OBJTFULL, rn_create("R", memory[1], 8192, 64, 0, NULL, NULL));
	(void)WORKS(sm_delete, sm_delete(id[0]));
	(void)WORKS(sm_delete, sm_delete(id[1]));
	(void)WORKS(q_vcreate, q_vcreate("Q", 0, 1, 1, &id[0]));
	FAILS(q_create, ERR_NOQCB, q_create("Q", 1, Q_LIMIT, NULL));
	FAILS(q_vcreate, ERR_NOQCB, q_vcreate("Q", 0, 1, 1, NULL));
	(void)WORKS(sm_create, sm_create("S", 0, 0, &id[1]));
	FAILS(sm_create, ERR_OBJTFULL, sm_create("S", 0, 0, NULL));
	(void)WORKS(q_delete, q_delete(last));
	(void)WORKS(pt_create, pt_create("P", memory[2], NULL, 8192, 64, 0, &last, NULL));
	(void)WORKS(pt_delete, pt_delete(last));
}

static void arm(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long id;

	(void)a, (void)b, (void)c, (void)d;
	expect_ok(tm_set(2026 << 16 | 1 << 8 | 1, 0, 59));
	(void)WORKS(tm_evafter, tm_evafter(1, 1, NULL));
	(void)WORKS(tm_evafter, tm_evafter(1000, 1, &id));
	FAILS(tm_evafter, ERR_NOTIMERS, tm_evafter(1, 1, NULL));
	FAILS(tm_evevery, ERR_NOTIMERS, tm_evevery(1, 1, NULL));
	FAILS(tm_evwhen, ERR_NOTIMERS, tm_evwhen(2026 << 16 | 1 << 8 | 2, 0, 0, 1, NULL));
	expect_ok(ev_receive(1, EV_ANY, 0, NULL));
	(void)WORKS(tm_evafter, tm_evafter(1000, 1, NULL));
	(void)WORKS(tm_cancel, tm_cancel(id));
	(void)WORKS(tm_evafter, tm_evafter(1000, 1, NULL));
	mark("armed");
}

TEST(timers_have_a_limit)
{
	until_gone(start("TIME", 10, arm, 0));
	expect_ok(tm_wkafter(2));
	/* Those of the task that has ended are gone. */
	until_gone(start("TIME", 10, arm, 0));
	expect_marks("armed armed");
}

static void sixty(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long long before = 0;
	unsigned long long after = 0;

	(void)a, (void)b, (void)c, (void)d;
	/* From one tick to the next: a minute has 3600. */
	expect_ok(tm_wkafter(1));
	expect_ok(tm_getm(&before));
	expect_ok(tm_wkafter(test_on_sim() ? 3600 : 60));
	expect_ok(tm_getm(&after));
	expect_true(after - before > (test_on_sim() ? 59990000000u : 990000000u));
	expect_true(!test_exact() || after - before < 60010000000);
	FAILS(tm_set, ERR_ILLTICKS, tm_set(2026 << 16 | 1 << 8 | 1, 0, 60));
	mark("minute");
}

TEST(the_clock_has_60_ticks_in_a_second)
{
	until_gone(start("MINU", 10, sixty, 0));
	expect_marks("minute");
}

TEST(queues_without_a_limit_have_three_buffers)
{
	unsigned long queue;
	unsigned long words[4] = {0};

	(void)WORKS(q_create, q_create("Q", 0, Q_NOLIMIT, &queue));
	for (int i = 0; i < 3; i++)
		(void)WORKS(q_send, q_send(queue, words));
	FAILS(q_send, ERR_NOMGB, q_send(queue, words));
}

TEST(devices_are_called_by_number)
{
	unsigned long value = 41;
	unsigned long retval = 7;
	void *area = NULL;

	(void)WORKS(de_init, de_init(1 << 16, NULL, &retval, &area));
	expect_eq(retval, 1);
	expect_true(area == &opened);
	(void)WORKS(de_open, de_open(1 << 16 | 5, NULL, &retval));
	expect_eq(opened, 5);
	expect_eq(retval, 0);
	(void)WORKS(de_read, de_read(1 << 16, &value, &retval));
	expect_eq(retval, 42);
	(void)WORKS(de_read, de_read(1 << 16, &value, NULL));
	/* A function that has nothing to do. */
	(void)WORKS(de_close, de_close(1 << 16, NULL, &retval));
	expect_eq(de_cntrl(1 << 16, NULL, NULL), 0x10010237);
	FAILS(de_write, ERR_NODR, de_write(1 << 16, NULL, NULL));
	FAILS(de_init, ERR_NODR, de_init(0, NULL, NULL, NULL));
	FAILS(de_open, ERR_NODR, de_open(2 << 16, NULL, NULL));
	FAILS(de_close, ERR_NODR, de_close(2 << 16, NULL, NULL));
	FAILS(de_read, ERR_NODR, de_read(0, NULL, NULL));
	FAILS(de_cntrl, ERR_NODR, de_cntrl(0, NULL, NULL));
	FAILS(de_init, ERR_IODN, de_init(3 << 16, NULL, NULL, NULL));
	FAILS(de_open, ERR_IODN, de_open(3 << 16, NULL, NULL));
	FAILS(de_close, ERR_IODN, de_close(~0ul, NULL, NULL));
	FAILS(de_read, ERR_IODN, de_read(1ul << 32 | 1 << 16, NULL, NULL));
	FAILS(de_write, ERR_IODN, de_write(3 << 16, NULL, NULL));
	FAILS(de_cntrl, ERR_IODN, de_cntrl(3 << 16, NULL, NULL));
}

static void opens(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	unsigned long self = 0;
	unsigned long retval = 0;

	(void)a, (void)b, (void)c, (void)d;
	expect_ok(t_ident(NULL, 0, &self));
	(void)WORKS(de_open, de_open(1 << 16, NULL, &retval));
	expect_eq(retval, self);
	mark("opened");
}

TEST(a_driver_knows_the_calling_task)
{
	until_gone(start("OPEN", 10, opens, 0));
	expect_marks("opened");
}

TEST(k_fatal_calls_the_handler_of_the_configuration)
{
	if (!setjmp(back))
		(void)WORKS(k_fatal, (k_fatal(0x20000001, K_LOCAL), 0));
	expect_eq(fatal_code, 0x20000001);
}

TEST(psos_runs_no_null)
{
	FAILS(psos_run, ERR_SSFN, psos_run(NULL));
}
