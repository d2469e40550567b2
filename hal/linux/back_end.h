/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What hal/thread and hal/bare each answer for this folder: all in which they differ. */
#ifndef LINUX_BACK_END_H
#define LINUX_BACK_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/hal.h"

struct hal_shadow;
struct linux_handler;

/* The event went by unnoticed while stalled, or comes now. Context: stalled. */
void backend_event_deliver(struct hal_cpu *cpu);
/* hal_ticks() at the instant or just after it; of a past one any that has been. Context: any. */
uint64_t backend_ticks_at(uint64_t instant_ns);
/* May some real-time CPU compute at a Linux priority of at least `level`, where it has that of the
 * task that it runs? Context: linux. */
bool backend_may_compute(unsigned level);

/* What the back end itself has to do in each round of the housekeeper. Context: the housekeeper. */
void backend_round(void);

/* The calls of a shadow's task trap until the task has ended: no more. Context: the shadow. */
void backend_trap_off(struct hal_shadow *shadow);
/* The handler of a fault, or of a call that Linux refuses, for which the program may have one, too;
 * NULL for any other signal. Context: any. */
struct linux_handler *backend_handler_of(int signal);

/* What real-time CPUs have asked Linux for until now, as priorities of threads, is done. Context:
 * linux. */
void backend_calls_await(void);

/*
 * Doorbells (doorbell.c). The page of a CPU that no doorbell has, with its file; NULL: there is
 * none. What is borrowed is returned before the stop.
 */
struct hal_bell;
struct hal_bell *backend_bell_borrow(int *file);
void backend_bell_return(struct hal_bell *page);
/* From here on this CPU takes what is rung at a page that was borrowed, as this interrupt; cpu
 * NULL: no more. False: it does not, for the page is another CPU's. */
bool backend_bell_aim(struct hal_bell *page, struct hal_cpu *cpu, uint32_t interrupt);

/* Memory is there, and stays. False: Linux refuses. Context: linux. */
bool backend_memory_lock(void *memory, size_t bytes);

/* In a fork's child: what only the parent may hold; and what the program does with its signals
 * stands alone. */
void backend_forked(void);
void backend_signals_forked(void);

#endif
