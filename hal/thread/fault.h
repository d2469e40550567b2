/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults on a dispatcher. */
#ifndef THREAD_FAULT_H
#define THREAD_FAULT_H

#include <signal.h>

int thread_fault(int signal, siginfo_t *info, void *ucontext);
/* panic.c: from here on the C library may be called, on a dispatcher, too. Only for the last
 * message of a program. */
void thread_own_tls(void);

#endif
