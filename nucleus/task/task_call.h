/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Calling a control function of a task on the CPU on which the task runs. */
#ifndef NUC_TASK_CALL_H
#define NUC_TASK_CALL_H

#include "call/call.h"
#include "task/task.h"

/* What a call does if its task has ended meanwhile. */
enum nuc_if_ended {
	NUC_IF_ENDED_REFUSE,  /* it fails: -TACT_EBUSY or -TACT_EIDRM */
	NUC_IF_ENDED_SUCCEED, /* it succeeds: it wanted the end */
	NUC_IF_ENDED_SERVE,   /* it is served, as long as the handle is valid */
};

/* A call of a control function of a task: see task_call.c. */
struct nuc_task_call {
	struct nuc_call call;
	/* Context: the CPU of the task, stalled. */
	int (*act)(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *call);
	/* Complete the call from nuc_task_call_arrive(), for a call that has reserved something.
	 * NULL: nuc_call_complete(). Context: any CPU, stalled. */
	void (*end)(struct nuc_cpu *cpu, struct nuc_task_call *call, int result);
	enum nuc_if_ended if_ended;
	struct nuc_task *task;
	uint64_t a;
	uint64_t b;
	void *pointer; /* results: the caller waits, so it may point to its stack */
	struct tact_sched_param param;
};
/* Replace TACT_SELF by the handle of the caller. 0 or -TACT_EPERM: the caller is not a task. */
int nuc_task_resolve(tact_task_t *task);
int nuc_task_call(tact_task_t task, struct nuc_task_call *call, unsigned flags,
		  int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *));
/* The same for a query, which also serves a task that has ended: then act() runs on the home CPU of
 * the handle. */
int nuc_task_query(tact_task_t task, struct nuc_task_call *call,
		   int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *));

/* Deliver the message of a call: run act() on the CPU of the task, if the task has not ended. */
void nuc_task_call_arrive(struct nuc_cpu *cpu, struct nuc_message *message);

/* nuc_task_call() from inside a run() on the handle's home CPU. */
int nuc_task_act(struct nuc_cpu *cpu, struct nuc_task *task, struct nuc_task_call *args,
		 int (*act)(struct nuc_cpu *, struct nuc_task *, struct nuc_task_call *),
		 enum nuc_if_ended if_ended);

#endif
