/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Alchemy, as mixed.h describes a skin. */
#include "mixed.h"
#include "test.h"

#include <alchemy/sem.h>
#include <alchemy/task.h>

#include <errno.h>
#include <stdint.h>
#include <stdio.h>

static RT_SEM sems[MIXED_MANY];
static RT_TASK tasks[MIXED_TASKS];

static void make(int number)
{
	char name[16];

	snprintf(name, sizeof(name), "mx%d", number);
	expect_eq(rt_sem_create(&sems[number], name, 0, S_FIFO), 0);
}

static void unmake(int number)
{
	expect_eq(rt_sem_delete(&sems[number]), 0);
}

static enum mixed_end end_of(int code)
{
	switch (code) {
	case 0:
		return MIXED_TAKEN;
	case -EWOULDBLOCK:
	case -ETIMEDOUT:
		return MIXED_LATE;
	case -EIDRM:
		return MIXED_DELETED;
	case -EINVAL:
		return MIXED_GONE;
	default:
		return MIXED_WRONG;
	}
}

static bool give(int number)
{
	const int code = rt_sem_v(&sems[number]);

	expect_true(!code || end_of(code) == MIXED_GONE);
	return !code;
}

static enum mixed_end take(int number, enum mixed_wait wait)
{
	static const RTIME times[] = {TM_NONBLOCK, 2000000, TM_INFINITE};

	return end_of(rt_sem_p(&sems[number], times[wait]));
}

static tact_sem_t native(int number)
{
	char name[24];

	snprintf(name, sizeof(name), "sem:mx%d", number);
	return (tact_sem_t){mixed_find(name).id};
}

static void entry(void *arg)
{
	mixed_body((int)(intptr_t)arg);
}

static void start(int slot)
{
	expect_eq(
		rt_task_spawn(&tasks[slot], NULL, 0, 50, T_JOINABLE, entry, (void *)(intptr_t)slot),
		0);
}

static void until_gone(int slot)
{
	expect_eq(rt_task_join(&tasks[slot]), 0);
}

const struct mixed_skin mixed_alchemy = {
	"Alchemy", make, unmake, give, take, native, start, until_gone,
};
