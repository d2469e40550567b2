/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a CPU holds for the files of `task`, a structure for each of them. */
#ifndef NUC_RECORD_TASK_H
#define NUC_RECORD_TASK_H

#include <stdint.h>

#include "base/bitmap.h"
#include "base/list.h"
#include "base/tree.h"
#include "hal/hal.h"

struct nuc_cpu;
struct nuc_task;
struct nuc_work;

#define NUC_LEVELS       258 /* 0: weak, 1 … 256, 257: the nucleus's own servers */
#define NUC_LEVEL_WEAK   0
#define NUC_LEVEL_SERVER 257

/* One priority level. The tasks that have or inherit a deadline come first, by deadline; then come
 * all others, in the order of the list. */
struct nuc_level {
	struct base_list list;
	struct base_tree deadlines;
};

/* The tasks that can run: run_queue.c. */
struct nuc_run_queue {
	struct base_bitmap ready; /* the levels with tasks */
	struct nuc_level level[NUC_LEVELS];
};

/* The switch to the running task, and its slice: dispatch.c. */
struct nuc_dispatch {
	struct hal_context idle_context;
	struct nuc_task *left; /* the task switched away from, until it is saved */
	/* The task that could have continued when the CPU switched to the server last; NULL: none.
	 * It may be another one by now: only to compare. */
	const struct nuc_task *interrupted;
	uint64_t switch_ticks; /* when current began to run */
	/* The end of the slice of current, and the shot for it in the form that hal_shot() takes.
	 * HAL_NO_DEADLINE: no slice, or no task runs. */
	uint64_t slice_ns;
	uint64_t slice_shot_ns;
	/* The back end's count of page faults, and the part of it that has been charged. If the
	 * back end counts none, the pointer leads to the second member. */
	const volatile uint64_t *page_faults;
	uint64_t page_faults_seen;
};

/* The task that runs handlers: server.c. */
struct nuc_server {
	struct nuc_task *task;
	/* A handler faulted: the server begins anew, with the next piece of work. Set together with
	 * task. */
	void (*restart)(struct nuc_cpu *cpu, struct nuc_task *server);
	struct nuc_work *serving; /* the work whose handler runs */
	uint32_t faulted;
	struct base_list work_due;
};

#endif
