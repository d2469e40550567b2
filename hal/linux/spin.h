/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The loop in which an idle CPU spins, and what it notices of others that have the processor. */
#ifndef LINUX_SPIN_H
#define LINUX_SPIN_H

#include "port.h"

#include "arch/context.h"

void linux_spun(struct linux_port *port, uint64_t ns, uint64_t gap_ns);
void linux_woken(struct linux_port *port, uint64_t late_ns);
/* The values that were given for the CPU; the usual ones where none was given. */
void linux_gravity_of(const struct hal_cpu *cpu, const struct hal_gravity *usual,
		      struct hal_gravity *gravity);

/* Spin until the instant, or until something has come for this CPU. has_come is inlined. */
static inline __attribute__((always_inline)) void linux_spin_until(
	struct linux_port *port, uint64_t instant_ns,
	bool (*has_come)(const struct linux_port *port))
{
	uint64_t begin_ns = hal_now_ns();
	uint64_t now_ns = begin_ns;
	uint64_t gap_ns = 0;
	bool ended = has_come(port);

	while (now_ns < instant_ns && !ended) {
		uint64_t last_ns = now_ns;

		/* The clock is read last: between it and has_come() a gap would not be seen. */
		hal_arch_relax();
		ended = has_come(port);
		now_ns = hal_now_ns();
		if (now_ns - last_ns > gap_ns)
			gap_ns = now_ns - last_ns;
	}
	linux_spun(port, now_ns - begin_ns, gap_ns);
}

#endif
