/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the task object share. */
#ifndef ALCHEMY_TASK_INTERNAL_H
#define ALCHEMY_TASK_INTERNAL_H

#include <alchemy/task.h>

#include "alchemy_internal.h"

/* Messages that were received and not replied to yet, at most, of one task. */
#define ALCHEMY_FLOWS 16

struct alchemy_flow {
	uint64_t flow; /* the port's name of it; 0: none */
	int id;        /* the program's */
	int opcode;
	uint32_t bytes;
	uint32_t held; /* not taken yet, for want of room */
};

struct alchemy_task {
	RT_TASK self;
	void (*entry)(void *arg);
	void *arg;
	tact_port_t port;
	int mode;
	int flows_begun;
	int rounds;                 /* of destructors that its thread has begun */
	_Atomic uint32_t unblocked; /* by rt_task_unblock(), since its last sleep began */
	_Atomic uint32_t over;      /* of a joinable one: it has ended or was deleted */
	struct alchemy_flow flow[ALCHEMY_FLOWS]; /* only its own task looks at these */
};
_Static_assert(sizeof(struct alchemy_task) <= ALCHEMY_EXTRA_BYTES, "a task fits into its record");

static inline struct alchemy_task *alchemy_task_of(struct alchemy_object *object)
{
	return (struct alchemy_task *)object->extra;
}

/* Which record is whose (task_self.c). */

/* Returns 0, or -ENOMEM: there are too many tasks. */
int alchemy_task_enter(tact_task_t native, struct alchemy_object *object);
void alchemy_task_leave(tact_task_t native);
/* The record of the calling task; NULL: it is none of this API. Context: any. */
struct alchemy_object *alchemy_task_current(void);
/* The descriptor of a native task; NO_ALCHEMY_TASK when it is none of this API. */
RT_TASK alchemy_task_descriptor(tact_task_t native);

/*
 * The record that a service's argument means, in *object. Returns 0, -EINVAL (not a task, or one
 * that has ended), -EPERM (NULL, and the caller is not one).
 */
int alchemy_task_find(RT_TASK *task, struct alchemy_object **object);
/* As alchemy_result(), for services that do not wait: who has ended is no task. */
int alchemy_task_result(int result);

/* Ends (task_end.c). A task that returns from its entry, or is deleted: what is left to do before
 * it is gone. */
void alchemy_task_end(uintptr_t handle);
/* One is about to be created: now and then, clear away what others have left. */
void alchemy_task_sweep(void);
/* The same, now: a name is wanted that one of them may have. Context: linux. */
void alchemy_task_sweep_all(void);
/* However the calling thread ends, this task of it does; 0: nothing. 0, -ENOMEM. */
int alchemy_task_end_with_thread(uintptr_t handle);

/* The parameters of a class for a priority of Alchemy's. */
struct tact_sched_param alchemy_task_class(int prio);
uint32_t alchemy_task_priority(int prio);

#endif
