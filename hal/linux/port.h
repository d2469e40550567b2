/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A real-time CPU, as the Linux side of the program sees it: hal_cpu.port, to which each back end
 * adds its own part. */
#ifndef LINUX_PORT_H
#define LINUX_PORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hal/hal.h"

#define LINUX_CACHE_LINE 64

struct linux_port {
	struct hal_cpu *cpu;
	_Atomic uint64_t spun_ns; /* the CPU writes this and the next two */
	_Atomic uint64_t gap_max_ns;
	_Atomic uint64_t wake_late_max_ns;
	_Atomic uint64_t armed_ns; /* HAL_NO_DEADLINE: nothing is armed */
	_Atomic uint64_t signals;  /* events and Linux calls that came by one; the CPU writes it */
	_Atomic uint64_t signals_seen; /* the same, as the housekeeper read it in its last round */
	struct hal_gravity gravity;    /* idle_ns, preempt_ns: HAL_GRAVITY_UNSET until found */
	uint32_t tid;                  /* of the thread that runs the CPU, or waits for it */
	_Atomic uint32_t doorbells;    /* doorbells that were rung: bits of hal_cpu.interrupts */
	bool linger; /* a task went to its shadow, or a Linux thread got its answer */
};

static inline struct linux_port *linux_port_of(const struct hal_cpu *cpu)
{
	return cpu->port;
}

/* Rings of doorbells become interrupts of a device. Context: stalled, on this CPU, after the kick
 * that came with them was taken. */
static inline void linux_doorbells_take(struct linux_port *port)
{
	if (atomic_load_explicit(&port->doorbells, memory_order_relaxed))
		port->cpu->interrupts |= atomic_exchange(&port->doorbells, 0);
}

#endif
