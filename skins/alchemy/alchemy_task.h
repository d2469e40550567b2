/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the task object share. */
#ifndef ALCHEMY_TASK_INTERNAL_H
#define ALCHEMY_TASK_INTERNAL_H

#include <alchemy/task.h>

#include "alchemy_internal.h"

#include "runtime/task.h"

/* How many messages one task may have received and not replied to yet. */
#define ALCHEMY_REQUESTS 16

struct alchemy_request {
	uint64_t number; /* its number at the port; 0: none */
	int id;          /* its number in the program */
	int opcode;
	uint32_t bytes;
	uint32_t held; /* the program's buffer was too small for it */
};

struct alchemy_task {
	struct runtime_task life;
	RT_TASK self;
	tact_port_t port;
	int mode;
	int requests_begun;
	_Atomic uint32_t unblocked; /* rt_task_unblock() was called since its last sleep began */
	struct alchemy_request request[ALCHEMY_REQUESTS]; /* used by the task itself only */
};
_Static_assert(sizeof(struct alchemy_task) <= ALCHEMY_EXTRA_BYTES, "a task fits into its record");

static inline struct alchemy_task *alchemy_task_of(struct runtime_record *object)
{
	return runtime_extra(object);
}

/* The record of the calling task; NULL: it is not a task of this API. Context: any. */
static inline struct runtime_record *alchemy_task_current(void)
{
	return runtime_task_current(&alchemy_records);
}
/* The descriptor of a native task; NO_ALCHEMY_TASK if it is not a task of this API. */
RT_TASK alchemy_task_descriptor(tact_task_t native);

/*
 * object: receives the record of a service's argument. Returns 0, -EINVAL (not a task, or one that
 * has ended), -EPERM (task is NULL, and the caller is not a task of this API).
 */
int alchemy_task_find(RT_TASK *task, struct runtime_record **object);
/* As alchemy_result(), for services that do not wait: -EINVAL for a task that has ended. */
int alchemy_task_result(int result);

/* The parameters of the class for a priority of Alchemy. */
const struct tact_sched_param *alchemy_task_class(int prio);
uint32_t alchemy_task_priority(int prio);

#endif
