/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads whose calls Linux hands back to them (Syscall User Dispatch). */
#ifndef POSIX_DISPATCH_H
#define POSIX_DISPATCH_H

#include <signal.h>
#include <stdint.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

/* prctl(PR_SET_SYSCALL_USER_DISPATCH, word...), with errno. */
int posix_dispatch_set(const unsigned long word[4]);

/* Before a handler of SIGSYS, whose frame this is: it has the signals blocked that it is to have,
 * if it is for a call that was handed back. */
void posix_dispatch_begin(const siginfo_t *info, const void *context, uint64_t mask);

#endif
