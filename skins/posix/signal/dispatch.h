/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads to which Linux hands back their calls (Syscall User Dispatch). */
#ifndef POSIX_DISPATCH_H
#define POSIX_DISPATCH_H

#include <signal.h>
#include <stdint.h>

#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#endif

/* prctl(PR_SET_SYSCALL_USER_DISPATCH, word...), with errno. */
int posix_dispatch_set(const unsigned long word[4]);

/* To be called before a handler of SIGSYS; context is its frame. If the signal is for a call that
 * was handed back, the signals of the handler's mask are then blocked. */
void posix_dispatch_begin(const siginfo_t *info, const void *context, uint64_t mask);

#endif
