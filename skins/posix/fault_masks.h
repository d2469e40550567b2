/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handlers that block signals of faults: see fault_masks.c. */
#ifndef POSIX_FAULT_MASKS_H
#define POSIX_FAULT_MASKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* By which Linux tells of pointers that lead nowhere. */
#define POSIX_SIGNALS_OF_FAULTS (1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1))

/* What is to be installed for what the program wants: that, or what notes what its handler blocks.
 */
struct sigaction posix_fault_masks_install(int signal, const struct sigaction *wanted);
/* The program's handler that had one of ours before it last; to be looked at before an
 * installation, for what that tells was installed until then. */
uintptr_t posix_fault_masks_behind(int signal);
void posix_fault_masks_show(uintptr_t behind, struct sigaction *installed);

#endif
