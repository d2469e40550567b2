/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Unwanted switches to secondary mode, as Xenomai's programs want to hear of them: SIGDEBUG, which
 * is SIGXCPU, to the task, with the cause; and a backtrace on the standard error output.
 */
#ifndef SKINS_WARN_H
#define SKINS_WARN_H

#include <signal.h>

#include <tactus/task.h>

/* Flags of a task that is told. */
#define SKIN_WARN (TACT_TASK_WARN | TACT_TASK_SIGNAL)

/* What is done with the signal in programs that have no handler of their own for it: nothing more,
 * when it tells of a switch; else what it means to Linux, the end of the program. */
void skin_warned(int signal, siginfo_t *info, void *context);

#endif
