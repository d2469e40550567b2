/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rare actions of programs, for the fuzzer: mappings of other kinds, and other uses of processes
 * and descriptors. */
#ifndef TESTS_KMOD_ODD_H
#define TESTS_KMOD_ODD_H

#include "chance.h"

/* Changes the mapping at one of the pages. */
void odd_memory(struct chance *chance, int device, uint8_t *arena, unsigned pages);
/* Signals for this thread, as long as it lives: a call that sleeps is woken, whenever it begins. */
void odd_wake_often(void);
/* `act` in a process that shares the address space, or does not, or shares only the file. */
void odd_process(struct chance *chance, int device, void (*act)(struct chance *chance));
/* Fills it with bytes that a processor may take for code, many of them system calls. */
void odd_code(struct chance *chance, uint8_t *code, size_t bytes);

#endif
