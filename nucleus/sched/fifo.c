/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FIFO: a task runs until it waits or until a task of a higher level is ready. A preempted task
 * keeps its place; a task that becomes ready goes to the end. Source: POSIX.1-2017, 2.8.4,
 * SCHED_FIFO.
 */
#include "task/class.h"

/* It has no operation: nuc_task_plain() in task/run_queue.h relies on that. */
const struct nuc_class nuc_class_fifo = {
	.name = "fifo",
};
