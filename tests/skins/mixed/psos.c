/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * pSOS+ in the program of the other skins. Its headers and those of Alchemy and VxWorks name some
 * things alike (T_FPU, Q_FIFO), so that no source includes two of them.
 */
#include "mixed.h"
#include "test.h"

#include <psos.h>

#include <tactus/tact.h>

static unsigned long sems[MIXED_MANY];
static unsigned long tasks[MIXED_TASKS];

static void make(int number)
{
	const char name[] = {'M', 'X', 'S', (char)('0' + number), '\0'};

	expect_eq(sm_create(name, 0, SM_FIFO, &sems[number]), 0);
}

static void unmake(int number)
{
	const unsigned long code = sm_delete(sems[number]);

	expect_true(!code || code == ERR_TATSDEL);
}

static enum mixed_end end_of(unsigned long code)
{
	switch (code) {
	case 0:
		return MIXED_TAKEN;
	case ERR_NOSEM:
	case ERR_TIMEOUT:
		return MIXED_LATE;
	case ERR_SKILLD:
		return MIXED_DELETED;
	case ERR_OBJDEL:
		return MIXED_GONE;
	default:
		return MIXED_WRONG;
	}
}

static bool give(int number)
{
	const unsigned long code = sm_v(sems[number]);

	expect_true(!code || end_of(code) == MIXED_GONE);
	return !code;
}

static enum mixed_end take(int number, enum mixed_wait wait)
{
	static const struct {
		unsigned long flags;
		unsigned long ticks;
	} how[] = {{SM_NOWAIT, 0}, {SM_WAIT, 1}, {SM_WAIT, 0}};

	return end_of(sm_p(sems[number], how[wait].flags, how[wait].ticks));
}

static tact_sem_t native_of(int number)
{
	const char name[] = {
		'p', 's', 'o', 's', '-', 's', 'e', 'm', ':', 'M', 'X', 'S', (char)('0' + number),
		'\0'};

	return (tact_sem_t){mixed_find(name).id};
}

static void entry(unsigned long slot, unsigned long b, unsigned long c, unsigned long d)
{
	(void)b, (void)c, (void)d;
	mixed_body((int)slot);
	(void)t_delete(0);
}

static void start(int slot)
{
	unsigned long args[4] = {(unsigned long)slot};

	expect_eq(t_create("MIXT", 50, 4096, 4096, 0, &tasks[slot]), 0);
	expect_eq(t_start(tasks[slot], T_PREEMPT, entry, args), 0);
}

static void until_gone(int slot)
{
	unsigned long value;

	while (!t_getreg(tasks[slot], 0, &value))
		settle();
}

const struct mixed_skin mixed_psos = {
	"pSOS", make, unmake, give, take, native_of, start, until_gone,
};

static tact_sem_t native;
static unsigned long psos;

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
