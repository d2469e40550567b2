/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * FIFO: a task runs until it waits or a higher level has one. Preempted tasks keep their place,
 * tasks that become ready go to the end. Source: POSIX.1-2017, 2.8.4, SCHED_FIFO.
 */
#include "task/class.h"

/* Without any operation: nuc_task_plain() in task/run_queue.h counts on that. */
const struct nuc_class nuc_class_fifo = {
	.name = "fifo",
};
