/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tactus-run's own: its options (launcher.c), the CPUs they
 * name (launcher_cpus.c), and what it leaves for the program to find
 * (launcher_libraries.c). What fails ends it, by one line. */
#ifndef POSIX_LAUNCHER_H
#define POSIX_LAUNCHER_H

#define USAGE_STATUS    2
#define REQUIRED_STATUS 125 /* also of say.h, POSIX_REQUIRED_STATUS */

__attribute__((noreturn, format(printf, 2, 3))) void launcher_quit(int status, const char *format,
								   ...);

void launcher_put(const char *name, const char *value);
/* Behind what the user has there. */
void launcher_put_last(const char *name, const char *own);

/* Is that a list of numbers? Are they CPUs that are online or, to be taken from Linux, there? */
void launcher_check_cpus(const char *list);
void launcher_find_cpus(const char *list, int may_be_offline);

/* The POSIX skin stands before the C library. */
void launcher_take_library(void);
/* And the nucleus is the one on CPUs that the module takes from Linux. */
void launcher_take_bare_library(void);
/* It is not, though a program with it may have started this one. */
void launcher_leave_bare_library(void);

/*
 * launcher_try.c. Is real time to be had, with what the program will find in its environment?
 * Returns if it is. The variable tells the process that tries from one that launches.
 */
#define LAUNCHER_TRIES "TACTUS_RUN_TRIES"
void launcher_try(const char *program);
/* What is tried, in a process of its own. Returns its status. */
int launcher_be_tried(void);

#endif
