/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Traps of shadows: their tasks' Linux calls, until those have ended. */
#ifndef THREAD_TRAP_H
#define THREAD_TRAP_H

#include <stdbool.h>

struct hal_shadow;

/* Its calls trap, until its task has ended. Context: the thread itself. */
void shadow_trap_on(struct hal_shadow *shadow);
/* The handlers for that are there; or may they go? True: none traps any more, nor will. */
void shadow_traps_begin(void);
bool shadow_traps_end(void);

#endif
