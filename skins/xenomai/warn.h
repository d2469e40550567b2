/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reports of unwanted switches to secondary mode, as in Xenomai: SIGDEBUG, which is SIGXCPU, to the
 * task, with the cause; and a backtrace on the standard error.
 */
#ifndef SKINS_WARN_H
#define SKINS_WARN_H

#include <signal.h>

#include <tactus/task.h>

/* The flags of a task that gets these reports. */
#define SKIN_WARN (TACT_TASK_WARN | TACT_TASK_SIGNAL)

/* The handler of the signal in programs that have none of their own. If the signal reports a
 * switch, nothing more is done. Otherwise it ends the program, which is its meaning in Linux. */
void skin_warned(int signal, siginfo_t *info, void *context);

#endif
