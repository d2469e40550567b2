/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The parts of tactus-run: its options (launcher.c), the CPUs that they name (launcher_cpus.c), and
 * the environment of the program (launcher_libraries.c). An error ends it with one line. */
#ifndef POSIX_LAUNCHER_H
#define POSIX_LAUNCHER_H

#define USAGE_STATUS    2
#define REQUIRED_STATUS 125 /* the same as POSIX_REQUIRED_STATUS in say.h */

__attribute__((noreturn, format(printf, 2, 3))) void launcher_quit(int status, const char *format,
								   ...);

void launcher_put(const char *name, const char *value);
/* Append to what the user has there. */
void launcher_put_last(const char *name, const char *own);

/* Refuse the list if it does not consist of numbers, or if a CPU is not online. A CPU that is to be
 * taken from Linux only has to exist. */
void launcher_check_cpus(const char *list);
void launcher_find_cpus(const char *list, int may_be_offline);

/* Put the POSIX skin before the C library. */
void launcher_take_library(void);
/* Use the nucleus for CPUs that the module takes from Linux. */
void launcher_take_bare_library(void);
/* Do not use it, even if a program that uses it has started this one. */
void launcher_leave_bare_library(void);

/*
 * launcher_try.c. Is real time available in the program's environment? Returns if it is. The
 * variable marks the process that tries.
 */
#define LAUNCHER_TRIES "TACTUS_RUN_TRIES"
void launcher_try(const char *program);
/* The trial, in a process of its own. Returns its status. */
int launcher_be_tried(void);

#endif
