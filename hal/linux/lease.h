/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Leases of CPUs, among all programs of the machine. */
#ifndef LINUX_LEASE_H
#define LINUX_LEASE_H

#include <stdbool.h>
#include <stdint.h>

int linux_lease_take(uint32_t linux_cpu, bool share, char holder[64]);
/* No program has it, or only programs that share it: a CPU that serves the most urgent thread. */
bool linux_lease_is_free(uint32_t linux_cpu);
/* No program has it. */
bool linux_lease_is_unused(uint32_t linux_cpu);
/* Has another program a lease of one of our CPUs, too? Cost: one system call for each lease. */
bool linux_leases_are_shared(void);
void linux_leases_drop(void);

#endif
