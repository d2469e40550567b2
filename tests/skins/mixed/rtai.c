/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* RTAI, as mixed.h describes a skin. Its tasks are threads that become hard tasks. */
#include "mixed.h"
#include "test.h"

#include <rtai_lxrt.h>
#include <rtai_nam2num.h>
#include <rtai_sem.h>

static SEM *sems[MIXED_MANY];
static long threads[MIXED_TASKS];

static void make(int number)
{
	const char name[] = {'M', 'X', (char)('0' + number), '\0'};

	sems[number] = rt_typed_sem_init(nam2num(name), 0, CNT_SEM | FIFO_Q);
	expect_true(sems[number] != NULL);
}

static void unmake(int number)
{
	expect_true(rt_sem_delete(sems[number]) > 0);
}

static enum mixed_end end_of(int code)
{
	switch (code) {
	case RTE_TIMOUT:
		return MIXED_LATE;
	case RTE_OBJREM:
		return MIXED_DELETED;
	case RTE_OBJINV:
		return MIXED_GONE;
	default:
		/* Below: the count, or minus the number of waiters that are left. */
		return code < RTE_BASE ? MIXED_TAKEN : MIXED_WRONG;
	}
}

static bool give(int number)
{
	const int code = rt_sem_signal(sems[number]);

	expect_true(end_of(code) == MIXED_TAKEN || end_of(code) == MIXED_GONE);
	return end_of(code) == MIXED_TAKEN;
}

static enum mixed_end take(int number, enum mixed_wait wait)
{
	int code;

	if (wait == MIXED_SOON)
		return end_of(rt_sem_wait_timed(sems[number], nano2count(2000000)));
	if (wait == MIXED_FOREVER)
		return end_of(rt_sem_wait(sems[number]));
	/* The units before the call: none is no code. */
	code = rt_sem_wait_if(sems[number]);
	return code <= 0 ? MIXED_LATE : end_of(code);
}

static tact_sem_t native(int number)
{
	const char name[] = {
		'r', 't', 'a', 'i', '-', 's', 'e', 'm', ':', 'M', 'X', (char)('0' + number), '\0'};

	return (tact_sem_t){mixed_find(name).id};
}

static void *entry(void *arg)
{
	expect_true(rt_task_init(0, 50, 0, 0) != NULL);
	rt_make_hard_real_time();
	mixed_body((int)(intptr_t)arg);
	expect_true(rt_task_delete(NULL) >= 0);
	return NULL;
}

static void start(int slot)
{
	threads[slot] = rt_thread_create((void *)(uintptr_t)entry, (void *)(intptr_t)slot, 0);
	expect_true(threads[slot] != 0);
}

static void until_gone(int slot)
{
	expect_eq(rt_thread_join(threads[slot]), 0);
}

const struct mixed_skin mixed_rtai = {
	"RTAI", make, unmake, give, take, native, start, until_gone,
};
