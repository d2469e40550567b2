/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A summary of the program's tasks, printed at its end if `tactus run --summary` requested it. */
#ifndef POSIX_SUMMARY_H
#define POSIX_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "posix/state/record.h"

/* To be called in a fork's child, which has no tasks: its parent reports the parent's tasks. */
void posix_summary_forked(void);

/*
 * Take the last figures of a task: when it is detached, or at the end of the program. A task that
 * is being detached while the program ends is taken once. A thread that was several tasks has their
 * sum.
 */
void posix_summary_take(struct posix_thread *thread, const struct tact_task_info *info);
void posix_summary_print(void);

#endif
