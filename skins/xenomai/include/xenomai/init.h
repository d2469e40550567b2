/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Start of a program: the options that Xenomai programs take on their command line.
 *
 * A program that is linked with what `xeno-config --ldflags` prints has this done before its main()
 * (--auto-init, the default); with --no-auto-init it calls xenomai_init() by itself. One that does
 * neither takes its options from the environment alone (TACTUS_CPUS and its like).
 *
 *   --cpu-affinity=LIST              Linux CPUs that become the program's real-time CPUs: 1, 0-2,
 * 1,3
 *   --mem-pool-size=SIZE[K|M|G]      room for objects, at least 4M
 *   --alchemy-clock-resolution=NS    length of a tick (alchemy/timer.h), 1 … 1000000000
 *   --session=LABEL[/GROUP]          the native API: programs of this session share named objects,
 *                                    this user's or, with GROUP, those of all users in the group;
 *                                    TACTUS_SESSION is the same
 *   --verbose[=LEVEL]                0: do not tell what the machine could not give; 1 if it is not
 * said
 *   --quiet, --silent                the same as --verbose=0
 *   --print-buffer-size=BYTES, --print-buffer-count=N, --print-sync-delay=MS
 *                                    the buffers of rt_printf(): xenomai/print.h
 *   --version, --help, --dump-config tell, and end the program
 *
 * --sanity, --no-sanity, --main-prio=PRIORITY, --no-mlock, --no-registry, --shared-registry and
 * --registry-root=DIR are taken, too; that they have no effect here is told on the standard error
 * output, unless --quiet comes before. --trace[=LEVEL] is kept for the program
 * (xenomai/tunables.h). Then come the options of the program's parts (boilerplate/setup.h). All
 * others are the program's, and so is what follows `--`.
 *
 * Source: Xenomai 3, "Application setup and init".
 */
#ifndef XENOMAI_INIT_H
#define XENOMAI_INIT_H

#include <boilerplate/setup.h> /* get_program_name() */

#ifdef __cplusplus
extern "C" {
#endif

/* Take the options out of the command line. argcp, argvp: main()'s, changed when there were some.
 * A bad value ends the program with a line on the standard error output, and status 1. */
void xenomai_init(int *argcp, char *const **argvp);

/* Print what --help prints, application_usage() with it. */
void xenomai_usage(void);

/* The program's, if it has them: told by --help and --version. */
void application_usage(void);
void application_version(void);

#ifdef __cplusplus
}
#endif

#endif
