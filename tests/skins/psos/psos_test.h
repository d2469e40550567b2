/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of pSOS+ share: tasks, and waits for what they do. */
#ifndef TESTS_PSOS_H
#define TESTS_PSOS_H

#include "skin_check.h"

#include <psos.h>
#include <psoscfg.h>

/* A number whose place exists, and that never was an id. */
#define NEVER 0x7fff0001ul

typedef void body_t(unsigned long, unsigned long, unsigned long, unsigned long);

/* Start a task with one word for its entry, in a mode. */
static inline unsigned long start_in(unsigned long mode, const char *name, unsigned long prio,
				     body_t *body, unsigned long word)
{
	unsigned long words[4] = {word};
	unsigned long tid = 0;

	expect_ok(t_create(name, prio, 0, 0, 0, &tid));
	expect_ok(t_start(tid, mode, body, words));
	return tid;
}

static inline unsigned long start(const char *name, unsigned long prio, body_t *body,
				  unsigned long word)
{
	return start_in(0, name, prio, body, word);
}

/* Until the task has ended. */
static inline void until_gone(unsigned long tid)
{
	for (int i = 0; i < 6000 && t_getreg(tid, 0, NULL) != ERR_OBJDEL; i++)
		expect_ok(tm_wkafter(1));
	expect_eq(t_getreg(tid, 0, NULL), ERR_OBJDEL);
}

/* Until a task of the nucleus with this name has all of these bits of its state. */
static inline void until_state(const char *name, uint32_t state)
{
	tact_object_t native;

	expect_ok(tact_find(name, TACT_NOWAIT, &native));
	test_until_state((tact_task_t){native.id}, state);
}

static inline void until_waits(const char *name)
{
	until_state(name, TACT_TASK_STATE_WAITING);
}

static inline unsigned long a_semaphore(unsigned long count)
{
	unsigned long id = 0;

	expect_ok(sm_create("SEMA", count, SM_FIFO, &id));
	return id;
}

#endif
