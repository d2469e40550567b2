/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The table of scheduling classes, and the class without an operation, FIFO: a task runs until it
 * waits or until a task of a higher level is ready. A preempted task keeps its place; a task that
 * becomes ready goes to the end. Source: POSIX.1-2017, 2.8.4, SCHED_FIFO.
 */
#include "task/class.h"

/* nuc_task_plain() in task/run_queue.h relies on that it has none. */
const struct nuc_class nuc_class_fifo = {
	.name = "fifo",
};

const struct nuc_class *const nuc_class_table[NUC_SCHED_CLASSES] = {
	[TACT_SCHED_FIFO] = &nuc_class_fifo,
	[TACT_SCHED_RR] = &nuc_class_rr,
	[TACT_SCHED_EDF] = &nuc_class_edf,
	[TACT_SCHED_SPORADIC] = &nuc_class_sporadic,
	[TACT_SCHED_PARTITION] = &nuc_class_partition,
	[TACT_SCHED_QUOTA] = &nuc_class_quota,
	[TACT_SCHED_WEAK] = &nuc_class_weak,
	[TACT_SCHED_CBS] = &nuc_class_cbs,
};
