/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the task object share. */
#ifndef ALCHEMY_TASK_INTERNAL_H
#define ALCHEMY_TASK_INTERNAL_H

#include <alchemy/task.h>

#include "alchemy_internal.h"

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
	RT_TASK self;
	void (*entry)(void *arg);
	void *arg;
	tact_port_t port;
	int mode;
	int requests_begun;
	int rounds;                 /* how often its thread's destructor has run */
	_Atomic uint32_t unblocked; /* rt_task_unblock() was called since its last sleep began */
	_Atomic uint32_t over;      /* a joinable task has ended or was deleted */
	struct alchemy_request request[ALCHEMY_REQUESTS]; /* used by the task itself only */
};
_Static_assert(sizeof(struct alchemy_task) <= ALCHEMY_EXTRA_BYTES, "a task fits into its record");

static inline struct alchemy_task *alchemy_task_of(struct alchemy_object *object)
{
	return (struct alchemy_task *)object->extra;
}

/* From native tasks to their records (task_self.c). */

/* Returns 0, or -ENOMEM: there are too many tasks. */
int alchemy_task_enter(tact_task_t native, struct alchemy_object *object);
void alchemy_task_leave(tact_task_t native);
/* The record of the calling task; NULL: it is not a task of this API. Context: any. */
struct alchemy_object *alchemy_task_current(void);
/* The descriptor of a native task; NO_ALCHEMY_TASK if it is not a task of this API. */
RT_TASK alchemy_task_descriptor(tact_task_t native);

/*
 * object: receives the record of a service's argument. Returns 0, -EINVAL (not a task, or one that
 * has ended), -EPERM (task is NULL, and the caller is not a task of this API).
 */
int alchemy_task_find(RT_TASK *task, struct alchemy_object **object);
/* As alchemy_result(), for services that do not wait: -EINVAL for a task that has ended. */
int alchemy_task_result(int result);

/* Ends (task_end.c). A task returns from its entry, or is deleted: free its record, or mark it as
 * over for rt_task_join(). */
void alchemy_task_end(uintptr_t handle);
/* Called when a task is about to be created: at every 32nd call, free the records of tasks that
 * ended without doing so. */
void alchemy_task_sweep(void);
/* The same, in any case: a name is wanted that one of them may have. Context: linux. */
void alchemy_task_sweep_all(void);
/* The task with this handle ends when the calling thread ends in any way; handle 0: no task.
 * Returns 0, -ENOMEM. */
int alchemy_task_end_with_thread(uintptr_t handle);

/* The parameters of the class for a priority of Alchemy. */
const struct tact_sched_param *alchemy_task_class(int prio);
uint32_t alchemy_task_priority(int prio);

#endif
