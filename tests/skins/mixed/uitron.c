/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* µITRON, of the version of the program, as mixed.h describes a skin. */
#include "mixed.h"
#include "test.h"

#include <itron.h>
#ifdef TACTUS_ITRON4_H
#include <kernel.h>
#define PREFIX "uitron4"
typedef VP_INT CODE;
#else
#define PREFIX "uitron"
typedef INT CODE;
#endif

#include <stdio.h>

static ID task_of(int slot)
{
	return slot + 10;
}

static void make(int number)
{
	T_CSEM packet = {.sematr = TA_TFIFO, .isemcnt = 0, .maxsem = 1000};

	expect_eq(cre_sem(number + 1, &packet), E_OK);
}

static void unmake(int number)
{
	expect_eq(del_sem(number + 1), E_OK);
}

static enum mixed_end end_of(ER code)
{
	switch (code) {
	case E_OK:
		return MIXED_TAKEN;
	case E_TMOUT:
		return MIXED_LATE;
	case E_DLT:
		return MIXED_DELETED;
	case E_NOEXS:
		return MIXED_GONE;
	default:
		return MIXED_WRONG;
	}
}

static bool give(int number)
{
	const ER code = sig_sem(number + 1);

	expect_true(!code || code == E_NOEXS);
	return !code;
}

static enum mixed_end take(int number, enum mixed_wait wait)
{
	static const TMO times[] = {TMO_POL, 2, TMO_FEVR};

	return end_of(twai_sem(number + 1, times[wait]));
}

static tact_sem_t native_of(int number)
{
	char name[24];

	snprintf(name, sizeof(name), PREFIX "-sem:%d", number + 1);
	return (tact_sem_t){mixed_find(name).id};
}

static void entry(CODE slot)
{
	mixed_body((int)slot);
	ext_tsk();
}

static void start_task(ID id, void (*body)(CODE code), int code)
{
	T_CTSK packet = {.tskatr = TA_HLNG, .task = (FP)body, .itskpri = 5, .stksz = 16384};

	expect_eq(cre_tsk(id, &packet), E_OK);
	expect_eq(sta_tsk(id, code), E_OK);
}

static void start(int slot)
{
	start_task(task_of(slot), entry, slot);
}

/* It may still be on its way to its end. */
static void delete_task(ID id)
{
	ER code;

	while ((code = del_tsk(id)) == E_OBJ)
		settle();
	expect_eq(code, E_OK);
}

static void until_gone(int slot)
{
	delete_task(task_of(slot));
}

const struct mixed_skin mixed_uitron = {
	"µITRON", make, unmake, give, take, native_of, start, until_gone,
};

static tact_sem_t native;

static void uitron_task(CODE code)
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
	expect_eq(tact_sem_create(NULL, 0, 1, TACT_FIFO, &native), 0);
	make(0);
	start_task(1, uitron_task, 7);
	expect_eq(tact_sem_post(native), 0);
	expect_eq(twai_sem(1, 1000), E_OK);
	expect_marks("waits has");
	expect_eq(tact_sem_delete(native), 0);
	unmake(0);
	delete_task(1);
}
