/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A routine that notes how it is called, and a smallest stack for a task with a routine. */
#ifndef TESTS_NOTED_H
#define TESTS_NOTED_H

#include "test.h"

struct noted {
	volatile uint32_t runs;
	volatile uint64_t requests; /* of the last run */
	tact_task_t task;
};

static struct noted noted;

static inline void note(uint64_t requests, void *arg)
{
	struct noted *to = arg;

	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	to->task = tact_task_self();
	to->requests = requests;
	to->runs++;
	if (to->runs < 10)
		mark("routine");
}

static inline void give_routine(tact_task_t task, uint64_t masked, uint64_t at_switch)
{
	const struct tact_routine routine = {
		.run = note, .arg = &noted, .masked = masked, .at_switch = at_switch};

	expect_ok(tact_task_set_routine(task, &routine));
}

/* The smallest stack of a light task: that of a task which may have a routine, or of any. */
static inline size_t smallest_stack(bool with_routine)
{
	const struct tact_routine routine = {.run = note, .arg = &noted};
	struct tact_task_attr attr = {.flags = TACT_TASK_LIGHT, .stack_bytes = 4096};
	tact_task_t task;

	for (;; attr.stack_bytes += 4096) {
		int result = tact_task_create(&attr, &task);

		if (result == -TACT_EINVAL)
			continue;
		expect_ok(result);
		result = tact_task_set_routine(task, &routine);
		expect_ok(tact_task_delete(task));
		if (!result || !with_routine)
			return attr.stack_bytes;
		expect_eq(result, -TACT_ENOSPC);
	}
}

#endif
