/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals that have a meaning of their own in Xenomai. */
#ifndef COBALT_UAPI_SIGNAL_H
#define COBALT_UAPI_SIGNAL_H

#include <signal.h>

/* Signals for kill() and pthread_kill() of the skin only. They act on a task; no handler sees
 * them. */
#define SIGSUSP (__SIGRTMAX + 1) /* suspend the task */
#define SIGRESM (__SIGRTMAX + 2) /* resume the task */
#define SIGRELS (__SIGRTMAX + 3) /* end the task's wait */
#define SIGKICK (__SIGRTMAX + 4) /* the same as SIGRELS */
#define SIGDEMT (__SIGRTMAX + 5) /* put the task below all others */

#define SIGSHADOW SIGWINCH
#define SIGDEBUG  SIGXCPU

#define sigdebug_code(si)   ((si)->si_value.sival_int)
#define sigdebug_reason(si) (sigdebug_code(si) & 0xff)
#define sigdebug_marker     0xfccf0000
#define sigdebug_marked(si) (((unsigned int)sigdebug_code(si) & 0xffff0000) == sigdebug_marker)

#define SIGDEBUG_UNDEFINED        0
#define SIGDEBUG_MIGRATE_SIGNAL   1
#define SIGDEBUG_MIGRATE_SYSCALL  2
#define SIGDEBUG_MIGRATE_FAULT    3
#define SIGDEBUG_MIGRATE_PRIOINV  4
#define SIGDEBUG_NOMLOCK          5
#define SIGDEBUG_WATCHDOG         6
#define SIGDEBUG_RESCNT_IMBALANCE 7
#define SIGDEBUG_LOCK_BREAK       8
#define SIGDEBUG_MUTEX_SLEEP      9

#endif
