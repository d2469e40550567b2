/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traps of shadows: the Linux calls of their tasks, until the tasks have ended. */
#ifndef THREAD_TRAP_H
#define THREAD_TRAP_H

#include <signal.h>
#include <stdbool.h>

struct hal_shadow;

/* Make the calls of this shadow trap, until its task has ended. Context: the thread itself. */
void shadow_trap_on(struct hal_shadow *shadow);
/* shadow_traps_begin(): the handlers for that are there. shadow_traps_end(): may they go? True: no
 * shadow traps any more, nor will. */
void shadow_traps_begin(void);
bool shadow_traps_end(void);

/* linux_call.c: a Linux call of a task in primary mode, which comes back as SIGSYS. */
int thread_linux_call(int signal, siginfo_t *info, void *ucontext);

#endif
