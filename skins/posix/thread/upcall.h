/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Upcalls: what a thread that becomes a task, or is none any more, needs of the parts above this
 * one. process/task_steps.c defines them. */
#ifndef POSIX_THREAD_UPCALL_H
#define POSIX_THREAD_UPCALL_H

#include <tactus/task.h>

/* The caller is about to be a task: its record has the task's handle already. */
void posix_task_begins(void);
/* It has to own nothing of the nucleus's to stop being one: what of that is this skin's. */
void posix_task_gives_up(void);
/* It was one, with these figures, and has its waiter yet. */
void posix_task_ends(const struct tact_task_info *last);

#endif
