/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a task with a routine has beside its control block. */
#ifndef NUC_ROUTINE_RECORD_H
#define NUC_ROUTINE_RECORD_H

#include "task/task.h"

/* Made with the first routine of a task, and freed with its control block: most tasks have none. */
struct nuc_routine {
	void (*run)(uint64_t requests, void *arg); /* NULL: it was taken away */
	void *arg;
	uint64_t requests;
	uint64_t masked;  /* requests for which it does not run now */
	uint64_t defined; /* the mask with which it was given */
	uint64_t at_switch;
	bool running;
	bool mask_due; /* the end of the one that runs makes `defined` the mask */
	bool begun;    /* the task has reached its entry; the task itself writes it */
};

static inline struct nuc_routine *nuc_routine_of(const struct nuc_task *task)
{
	/* Acquire: the home CPU of the handle made it. */
	return atomic_load_explicit(&task->routine, memory_order_acquire);
}

/* The task reaches its entry. Context: the task, in either mode. */
static inline void nuc_routine_begun(const struct nuc_task *task)
{
	struct nuc_routine *routine = nuc_routine_of(task);

	if (routine)
		routine->begun = true;
}

#endif
