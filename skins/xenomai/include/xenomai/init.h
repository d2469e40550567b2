/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Start of a program: the options of Xenomai programs on their command line.
 *
 * A program that is linked with what `xeno-config --ldflags` prints takes its options before its
 * main() (--auto-init, the default). With --no-auto-init it calls xenomai_init() itself. A program
 * that does neither takes its options only from the environment (TACTUS_CPUS and the variables like
 * it).
 *
 *   --cpu-affinity=LIST            Linux CPUs that become the program's real-time CPUs, as 1, 0-2,
 *                                  or 1,3
 *   --mem-pool-size=SIZE[K|M|G]    room for objects, at least 4M
 *   --alchemy-clock-resolution=NS  length of a tick (alchemy/timer.h), 1 … 1000000000
 *   --session=LABEL[/GROUP]        programs of this session share objects: programs of this user,
 *                                  or, with GROUP, programs of all users in the group.
 *                                  TACTUS_SESSION is the same
 *   --verbose[=LEVEL]              0 … 9; 0: do not say what the machine does not provide. Without
 *                                  LEVEL: 1
 *   --quiet, --silent              the same as --verbose=0
 *   --print-buffer-size=BYTES      size of a buffer of rt_printf(): xenomai/print.h
 *   --print-buffer-count=N         number of these buffers
 *   --print-sync-delay=MS          time between two writes of their text
 *   --version                      print the version, and end the program
 *   --help                         print the options, and end the program
 *   --dump-config                  print the configuration, and end the program
 *
 * These options are also taken, and have no effect in Tactus: --sanity, --no-sanity,
 * --main-prio=PRIORITY, --no-mlock, --no-registry, --shared-registry and --registry-root=DIR. A
 * line on the standard error output says so, except after --quiet. --trace[=LEVEL] is kept for the
 * program (xenomai/tunables.h). The next options are those of the program's parts
 * (boilerplate/setup.h). All other options are left to the program, and so is everything after
 * `--`.
 *
 * Source: Xenomai 3, "Application setup and init".
 */
#ifndef XENOMAI_INIT_H
#define XENOMAI_INIT_H

#include <boilerplate/setup.h> /* get_program_name() */

#ifdef __cplusplus
extern "C" {
#endif

/* Take the options out of the command line. argcp, argvp: those of main(); they receive the command
 * line without these options. A bad value ends the program with a line on the standard error
 * output, and status 1. */
void xenomai_init(int *argcp, char *const **argvp);

/* Print what --help prints, application_usage() included. */
void xenomai_usage(void);

/* The program may define these two functions. --help calls application_usage(); --version and
 * --dump-config call application_version(). */
void application_usage(void);
void application_version(void);

#ifdef __cplusplus
}
#endif

#endif
