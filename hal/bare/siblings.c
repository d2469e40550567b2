/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * SMT siblings: what Linux runs on one slows the core beside it. With siblings=take Linux gives up
 * these CPUs, too, and they stay idle. Their leases are taken, so that no other program loses a CPU
 * in this way. Siblings that are all cores of the program need nothing.
 */
#define _GNU_SOURCE

#include "bare.h"

#include <stdio.h>

#include "base/error.h"
#include "cpu_select.h"
#include "lease.h"
#include "reason.h"

/* The siblings of the CPU that Linux has online. */
static void siblings_of(uint32_t linux_cpu, cpu_set_t *siblings)
{
	char path[96];
	cpu_set_t online;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/thread_siblings_list",
		 linux_cpu);
	CPU_ZERO(siblings);
	linux_cpus_read(path, siblings);
	CPU_ZERO(&online);
	linux_cpus_read("/sys/devices/system/cpu/online", &online);
	CPU_AND(siblings, siblings, &online);
	CPU_CLR(linux_cpu, siblings);
}

static uint32_t first_of(const cpu_set_t *set)
{
	uint32_t cpu = 0;

	while (!CPU_ISSET(cpu, set))
		cpu++;
	return cpu;
}

static int take(uint32_t linux_cpu, const cpu_set_t *siblings, char reason[HAL_REASON_BYTES])
{
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		char holder[64];
		int error;

		if (!CPU_ISSET(cpu, siblings))
			continue;
		error = linux_lease_take(cpu, false, holder);
		if (error == -TACT_EBUSY)
			return linux_refuse(
				reason, error,
				"CPU %u, a sibling of CPU %u, is leased to %s: end that "
				"program, or omit siblings=take",
				cpu, linux_cpu, holder);
		if (error)
			return linux_refuse(reason, error, "cannot write the lease of CPU %u: %s",
					    cpu, holder);
		CPU_CLR(cpu, &linux_program.other_cpus);
	}
	return 0;
}

int bare_siblings_take(const uint32_t linux_cpus[], char reason[HAL_REASON_BYTES])
{
	cpu_set_t cores;

	CPU_ZERO(&cores);
	CPU_ZERO(&bare_program.with_siblings);
	for (unsigned i = 0; i < linux_program.cpu_count; i++)
		CPU_SET(linux_cpus[i], &cores);
	for (unsigned i = 0; i < linux_program.cpu_count; i++) {
		cpu_set_t all, named, others;
		int error;

		siblings_of(linux_cpus[i], &all);
		CPU_AND(&named, &all, &cores);
		CPU_XOR(&others, &all, &named);
		if (!CPU_COUNT(&others))
			continue;
		if (!linux_program.options.siblings) {
			linux_notice(
				reason,
				"CPU %u is a sibling of CPU %u and remains with Linux, whose work "
				"there slows tasks: siblings=take also takes it. ",
				first_of(&others), linux_cpus[i]);
			continue;
		}
		/* The module takes all of a CPU's siblings, or none. */
		if (CPU_COUNT(&named))
			return linux_refuse(
				reason, -TACT_EINVAL,
				"only some siblings of CPU %u are named: also name CPU %u, "
				"or omit siblings=take",
				linux_cpus[i], first_of(&others));
		error = take(linux_cpus[i], &others, reason);
		if (error)
			return error;
		CPU_SET(linux_cpus[i], &bare_program.with_siblings);
	}
	linux_program.other_cpus_differ = CPU_COUNT(&linux_program.other_cpus) > 0;
	return 0;
}
