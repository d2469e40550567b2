/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What became of the program's tasks, printed at its end where `tactus run --summary` asked for it.
 */
#ifndef POSIX_SUMMARY_H
#define POSIX_SUMMARY_H

#include <stdbool.h>
#include <stdint.h>

#include "posix/state/record.h"

/* In a fork's child, which has no tasks: its parent's are its parent's to tell of. */
void posix_summary_forked(void);

/*
 * The task's last figures: of one that was detached, and of those that are left at the end. One
 * that is being detached while the program ends is both, and told once. A thread that was several
 * tasks one after the other has the sum of them.
 */
void posix_summary_take(struct posix_thread *thread, const struct tact_task_info *info);
void posix_summary_print(void);

#endif
