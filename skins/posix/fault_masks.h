/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers that block signals of faults: see fault_masks.c. */
#ifndef POSIX_FAULT_MASKS_H
#define POSIX_FAULT_MASKS_H

#include <signal.h>

/* By which Linux tells of pointers that lead nowhere. */
#define POSIX_SIGNALS_OF_FAULTS (1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1))

/* What is to be installed for what the program wants: that, or noting, which notes what its handler
 * blocks. */
const struct sigaction *posix_fault_masks_install(int signal, const struct sigaction *wanted,
						  struct sigaction *noting);
/* Of what is or was installed: the program's handler in place of ours. */
void posix_fault_masks_show(int signal, struct sigaction *installed);

#endif
