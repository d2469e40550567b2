/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The name that <alchemy/task.h> had in Xenomai 2, and mode bits that were there. */
#ifndef TRANK_NATIVE_TASK_H
#define TRANK_NATIVE_TASK_H

#include <alchemy/task.h>

/* Accepted, without effect: a task's CPU is the program's first one until rt_task_set_affinity(),
 * and signals come to tasks as alchemy/task.h says. */
#define T_CPU(cpu) (0 * (cpu))
#define T_NOSIG    0x0

#endif
