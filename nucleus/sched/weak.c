/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Weak: tasks that are not real-time but use real-time objects. In primary mode they run if no
 * other task does. After each call that leaves them without an owned lock they go back to Linux,
 * where they are ordinary threads. Source: Xenomai 3, SCHED_WEAK.
 */
#include "task/task.h"

static void attach(struct nuc_cpu *cpu, struct nuc_task *task)
{
	(void)cpu;
	task->goes_back = 1;
}

static uint16_t level(const struct nuc_task *task)
{
	(void)task;
	return NUC_LEVEL_WEAK;
}

const struct nuc_class nuc_class_weak = {
	.name = "weak",
	.attach = attach,
	.level = level,
};
