/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Words of a program to its user: one line each, with the program's name before it, on the standard
 * error output.
 *
 * Context: linux; in a task they lead to secondary mode.
 * Source: Xenomai 3, <boilerplate/ancillaries.h>, as its test programs use it.
 */
#ifndef BOILERPLATE_ANCILLARIES_H
#define BOILERPLATE_ANCILLARIES_H

#include <sched.h>
#include <sys/types.h>

#include <boilerplate/compiler.h>

#ifdef __cplusplus
extern "C" {
#endif

void warning(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2)));
/* ... and end the program with status 1. */
void panic(const char *fmt, ...) __attribute__((__format__(__printf__, 1, 2), __noreturn__));

/* Before main(), where no service may be called. */
#define early_warning warning
#define early_panic   panic

/* The symbol of an error number of either sign, as "EINVAL"; another number: its digits. The text
 * is good until the thread's next call. */
const char *symerror(int errnum);

/* Of the POSIX skin: the CPUs that Linux runs on, and those that are this program's real-time CPUs:
 * 0, or -ENOSYS (Linux does not tell; none could be had). And the caller's. */
int get_online_cpu_set(cpu_set_t *cpuset);
int get_realtime_cpu_set(cpu_set_t *cpuset);
int get_current_cpu(void);

#ifdef __cplusplus
}
#endif

#endif
