/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Upcalls: what a thread that becomes a task, or ceases to be one, needs of the parts above this
 * one. process/task_steps.c defines them. */
#ifndef POSIX_THREAD_UPCALL_H
#define POSIX_THREAD_UPCALL_H

#include <tactus/task.h>

/* The caller is about to become a task: its record already has the task's handle. */
void posix_task_begins(void);
/* To cease to be a task it must own nothing of the nucleus: give up what belongs to this skin. */
void posix_task_gives_up(void);
/* It was a task, with these figures, and still has its waiter. */
void posix_task_ends(const struct tact_task_info *last);

#endif
