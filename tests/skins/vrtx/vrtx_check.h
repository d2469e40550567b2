/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the tests of VRTX share: the code that a call tells by its last argument. */
#ifndef TESTS_VRTX_CHECK_H
#define TESTS_VRTX_CHECK_H

#include "skin_check.h"

#include <vrtx/vrtx.h>

/* Where the calls of FAILS and WORKS tell their code. One for all tasks: they run one at a time,
 * and a call that waits has a variable of its own. */
extern int err;

/* What a call tells that tells nothing. */
#define UNTOLD 0x7777

#define TICK_NS (10 * TEST_MS)

/* A call without a result. */
#define DO(...) (__VA_ARGS__, 0)
/* A call that tells no code. */
#define TRUST(...) (__VA_ARGS__, err = RET_OK, 0)

/* Start a task of VRTX; it has run until it waits if it is more urgent than the caller. */
void spawn(void (*entry)(void *), int tid, int prio);
/* Until it waits, or is suspended. Context: task, linux. */
void until_waits(int tid);
/* Until it has ended. */
void until_gone(int tid);
/* The native task. */
tact_task_t task_of(int tid);

#endif
