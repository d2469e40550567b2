/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pSOS+ in the program of the other skins. Its headers and those of Alchemy and VxWorks name some
 * things alike (T_FPU, Q_FIFO), so that no source includes two of them.
 */
#include "mixed.h"
#include "test.h"

#include <psos.h>

#include <tactus/tact.h>

static tact_sem_t native;
static unsigned long psos;
static unsigned long made[MANY];

void psos_make(int number)
{
	expect_eq(sm_create("SAME", 0, SM_FIFO, &made[number]), 0);
}

void psos_unmake(int number)
{
	expect_eq(sm_delete(made[number]), 0);
}

static void psos_task(unsigned long a, unsigned long b, unsigned long c, unsigned long d)
{
	(void)a, (void)b, (void)c, (void)d;
	mark("waits");
	expect_eq(tact_sem_wait(native, TACT_FOREVER), 0);
	mark("has");
	expect_eq(tact_sem_wait(native, TACT_FOREVER), -TACT_EIDRM);
	mark("deleted");
	expect_eq(sm_v(psos), 0);
	(void)t_delete(0);
}

TEST(task_of_psos_waits_for_a_semaphore_of_the_native_api)
{
	unsigned long args[4] = {0};
	unsigned long tid;

	expect_eq(tact_sem_create(NULL, 0, 1, TACT_FIFO, &native), 0);
	expect_eq(sm_create("MET", 0, SM_PRIOR, &psos), 0);
	expect_eq(t_create("MIXD", 50, 4096, 4096, 0, &tid), 0);
	expect_eq(t_start(tid, T_PREEMPT, psos_task, args), 0);
	expect_eq(tact_sem_post(native), 0);
	/* Ten ticks of this caller, who is a task of no skin. */
	expect_eq(tm_wkafter(10), 0);
	expect_eq(tact_sem_delete(native), 0);
	expect_eq(sm_p(psos, SM_WAIT, 0), 0);
	expect_marks("waits has deleted");
	expect_eq(sm_delete(psos), 0);
}
