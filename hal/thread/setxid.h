/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* set*id() of the C library, which signals each thread of the program. */
#ifndef THREAD_SETXID_H
#define THREAD_SETXID_H

#include <signal.h>
#include <stdint.h>

/* Context: a dispatcher whose stall bit the caller has set. */
int thread_setxid(siginfo_t *info, void *ucontext, uint32_t was_stalled);

#endif
