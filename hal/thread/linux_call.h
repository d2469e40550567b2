/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linux calls of tasks in primary mode, which come back as SIGSYS. */
#ifndef THREAD_LINUX_CALL_H
#define THREAD_LINUX_CALL_H

#include <signal.h>

int thread_linux_call(int signal, siginfo_t *info, void *ucontext);

#endif
