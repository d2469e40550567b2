/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A real-time CPU, as far as Linux's side looks at it: hal_cpu.port, whatever the back end adds. */
#ifndef LINUX_PORT_H
#define LINUX_PORT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hal/hal.h"

#define LINUX_CACHE_LINE 64

struct linux_port {
	struct hal_cpu *cpu;
	_Atomic uint64_t spun_ns; /* by the CPU, as are the two that follow */
	_Atomic uint64_t gap_max_ns;
	_Atomic uint64_t wake_late_max_ns;
	_Atomic uint64_t armed_ns;     /* HAL_NO_DEADLINE: nothing is armed */
	_Atomic uint64_t signals;      /* events and Linux calls that came by one; by the CPU */
	_Atomic uint64_t signals_seen; /* by the housekeeper, in its last round */
	struct hal_gravity gravity;    /* idle_ns, preempt_ns: HAL_GRAVITY_UNSET until found */
	uint32_t tid;                  /* of the thread that runs it, or waits for it */
	_Atomic uint32_t doorbells;    /* doorbells that were rung: bits of hal_cpu.interrupts */
	bool linger; /* a task went to its shadow, or a Linux thread got its answer */
};

static inline struct linux_port *linux_port_of(const struct hal_cpu *cpu)
{
	return cpu->port;
}

/* What doorbells have told is an interrupt of a device's. Context: stalled, on this CPU, after the
 * kick that came with it was taken. */
static inline void linux_doorbells_take(struct linux_port *port)
{
	if (atomic_load_explicit(&port->doorbells, memory_order_relaxed))
		port->cpu->interrupts |= atomic_exchange(&port->doorbells, 0);
}

#endif
