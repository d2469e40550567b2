/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What programs seldom do, for the fuzzer: mappings of other kinds, and other ways with processes
 * and descriptors. */
#ifndef TESTS_KMOD_ODD_H
#define TESTS_KMOD_ODD_H

#include "chance.h"

/* Changes what is mapped at one of the pages. */
void odd_memory(struct chance *chance, int device, uint8_t *arena, unsigned pages);
/* Signals for this thread, for as long as it lives: a call that sleeps is woken, whenever it
 * begins. */
void odd_wake_often(void);
/* `act` in a process that shares the address space, or not, or the file alone. */
void odd_process(struct chance *chance, int device, void (*act)(struct chance *chance));
/* Fills it with what a processor may take for code, much of it system calls. */
void odd_code(struct chance *chance, uint8_t *code, size_t bytes);

#endif
