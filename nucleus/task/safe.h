/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What protects a task from callers that would delete or restart it. Context of everything here:
 * the task's CPU, stalled. */
#ifndef NUC_SAFE_H
#define NUC_SAFE_H

#include "task/wants.h"

static inline bool nuc_task_is_safe(const struct nuc_task *task)
{
	return task->safe_count || task->safe_mutexes;
}

/* The task owns a mutex with TACT_MUTEX_SAFE from now on, or does not own it any more. */
static inline void nuc_task_protect(struct nuc_task *task)
{
	task->safe_mutexes++;
}
static inline void nuc_task_unprotect(struct nuc_cpu *cpu, struct nuc_task *task)
{
	/* A task that restarts owns its mutexes still, but is not protected. */
	if (task->safe_mutexes)
		task->safe_mutexes--;
	nuc_task_mark(cpu, task);
}

#endif
