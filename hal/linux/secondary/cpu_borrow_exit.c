/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Threads of a program that ends. Each has to run once more to end. A thread that has only the CPUs
 * that are left to Linux might wait there for a more urgent thread of another program, and forever
 * if that thread computes. So each may end on the real-time CPUs, too. A program that is killed by
 * SIGKILL cannot arrange this: what is left of it waits until the other program sleeps or ends.
 */
#define _GNU_SOURCE
#include <unistd.h>

#include "program.h"
#include "secondary/cpu_borrow.h"
#include "task_file.h"

void cpu_borrow_at_exit(void)
{
	off_t behind = 0;
	uint32_t tid;
	int tasks;

	if (!linux_program.fifo || !linux_program.other_cpus_differ)
		return;
	tasks = linux_tasks_open();
	if (tasks < 0)
		return;
	while ((tid = linux_tasks_next(tasks, &behind)))
		(void)cpu_borrow_begin(tid);
	close(tasks);
}
