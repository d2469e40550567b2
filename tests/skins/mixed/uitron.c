/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* uITRON in the program of the other skins. */
#include "mixed.h"
#include "test.h"

#include <itron.h>

#include <tactus/tact.h>

static tact_sem_t native;

void uitron_make(int number)
{
	T_CSEM packet = {.sematr = TA_TFIFO, .isemcnt = 0, .maxsem = 1};

	expect_eq(cre_sem(number + 1, &packet), E_OK);
}

void uitron_unmake(int number)
{
	expect_eq(del_sem(number + 1), E_OK);
}

static void uitron_task(INT code)
{
	expect_eq(code, 7);
	mark("waits");
	expect_eq(tact_sem_wait(native, TACT_FOREVER), 0);
	mark("has");
	expect_eq(sig_sem(1), E_OK);
	ext_tsk();
}

TEST(task_of_uitron_waits_for_a_semaphore_of_the_native_api)
{
	T_CTSK packet = {.tskatr = TA_HLNG, .task = (FP)uitron_task, .itskpri = 5, .stksz = 16384};

	expect_eq(tact_sem_create(NULL, 0, 1, TACT_FIFO, &native), 0);
	uitron_make(0);
	expect_eq(cre_tsk(1, &packet), E_OK);
	expect_eq(sta_tsk(1, 7), E_OK);
	expect_eq(tact_sem_post(native), 0);
	expect_eq(twai_sem(1, 1000), E_OK);
	expect_marks("waits has");
	expect_eq(tact_sem_delete(native), 0);
	uitron_unmake(0);
	/* It may still be on its way to its end. */
	while (del_tsk(1) == E_OBJ)
		settle();
	expect_eq(del_tsk(1), E_NOEXS);
}
