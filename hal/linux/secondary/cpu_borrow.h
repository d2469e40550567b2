/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Threads that Linux does not get to run may use the real-time CPUs for a while. */
#ifndef SECONDARY_CPU_BORROW_H
#define SECONDARY_CPU_BORROW_H

#include <stdbool.h>
#include <stdint.h>

/* In each round of the housekeeper: a shadow that was kept from running for so many rounds may use
 * the real-time CPUs, too. */
void cpu_borrow_round(uint32_t rounds);
/* This lasts for so many rounds: to be kept waiting again after them costs little. */
#define CPU_BORROW_ROUNDS 100u
/* A thread that has the CPUs that are left to Linux gets the real-time CPUs, too. False: it has
 * other CPUs, by its own choice. cpu_borrow_end() undoes this. */
bool cpu_borrow_begin(uint32_t tid);
void cpu_borrow_end(uint32_t tid);
/* cpu_borrow_plain.c: the same for threads without a task. */
void cpu_borrow_plain_round(void);
/* And for all threads, before the program ends. */
void cpu_borrow_at_exit(void);

#endif
