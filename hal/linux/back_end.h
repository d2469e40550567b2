/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What hal/thread and hal/bare each define for this folder: everything in which they differ. */
#ifndef LINUX_BACK_END_H
#define LINUX_BACK_END_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hal/hal.h"

struct hal_shadow;
struct linux_handler;

/* hal_start(), by a caller that may make threads. */
int backend_start(const struct hal_config *config, struct hal_cpu *const cpus[],
		  char reason[HAL_REASON_BYTES]);

/* Deliver an event that was logged while the CPU was stalled, or that comes now. Context:
 * stalled. */
void backend_event_deliver(struct hal_cpu *cpu);
/* hal_ticks() at the instant or just after it. For a past instant: any value that hal_ticks() has
 * had. Context: any. */
uint64_t backend_ticks_at(uint64_t instant_ns);
/* May some real-time CPU compute at a Linux priority of at least `level`, because it has the
 * priority of the task that it runs? Context: linux. */
bool backend_may_compute(unsigned level);

/* What the back end itself has to do in each round of the housekeeper. Context: the housekeeper. */
void backend_round(void);

/* A shadow's calls trap until its task has ended: end this. Context: the shadow. */
void backend_trap_off(struct hal_shadow *shadow);
/* Our handler of a fault, or of a call that Linux refuses. The program may have a handler for such
 * a signal, too. NULL for any other signal. Context: any. */
struct linux_handler *backend_handler_of(int signal);

/* Wait until Linux has done what real-time CPUs have asked it for until now, such as priorities of
 * threads. Context: linux. */
void backend_calls_await(void);

/*
 * Doorbells (doorbell.c). Borrow the page of a CPU that no doorbell has, with its file. NULL: there
 * is none. A page is lent once a start.
 */
struct hal_doorbell;
struct hal_doorbell *backend_doorbell_borrow(int *file);
/* From here on this CPU takes the rings at a borrowed page by itself, as this interrupt. cpu NULL:
 * no longer. False: it does not, because the page belongs to another CPU. */
bool backend_doorbell_aim(struct hal_doorbell *page, struct hal_cpu *cpu, uint32_t interrupt);

/* Populate the memory and lock it. False: Linux refuses. Context: linux. */
bool backend_memory_lock(void *memory, size_t bytes);

/* In the child of a fork: give up what only the parent may hold; remove our handlers, so that only
 * the program's own remain. */
void backend_forked(void);
void backend_signals_forked(void);

#endif
