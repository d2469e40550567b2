/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults on a dispatcher. */
#ifndef THREAD_FAULT_H
#define THREAD_FAULT_H

#include <signal.h>

int thread_fault(int signal, siginfo_t *info, void *ucontext);
/* panic.c: the libc may be called now, on a dispatcher too; for the last words of a program only.
 */
void thread_own_tls(void);

#endif
