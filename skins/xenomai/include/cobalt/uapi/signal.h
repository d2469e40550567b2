/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals with a meaning of their own. */
#ifndef COBALT_UAPI_SIGNAL_H
#define COBALT_UAPI_SIGNAL_H

#include <signal.h>

/* For kill() and pthread_kill() of the skin alone: suspend a task and resume it, end what it waits
 * for (both), make it the least of all. */
#define SIGSUSP (__SIGRTMAX + 1)
#define SIGRESM (__SIGRTMAX + 2)
#define SIGRELS (__SIGRTMAX + 3)
#define SIGKICK (__SIGRTMAX + 4)
#define SIGDEMT (__SIGRTMAX + 5)

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
