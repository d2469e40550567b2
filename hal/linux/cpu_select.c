/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Which Linux CPUs the real-time CPUs are: the ones that were requested, or the best free ones.
 * Isolated CPUs are best; then from the highest number down, because interrupts and services gather
 * on CPU 0.
 */
#define _GNU_SOURCE

#include "cpu_select.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "lease.h"
#include "program.h"
#include "reason.h"

void linux_cpus_read(const char *path, cpu_set_t *set)
{
	FILE *file = fopen(path, "re");
	unsigned first, last;
	int count;

	if (!file)
		return;
	while ((count = fscanf(file, "%u-%u", &first, &last)) >= 1) {
		for (unsigned cpu = first; cpu <= (count == 2 ? last : first); cpu++)
			CPU_SET(cpu, set);
		if (fgetc(file) != ',')
			break;
	}
	fclose(file);
}

static int take(const struct hal_config *config, uint32_t linux_cpu, char reason[HAL_REASON_BYTES])
{
	char holder[64];
	int error = linux_lease_take(linux_cpu, config->share, holder);

	if (error == -TACT_EBUSY)
		return linux_refuse(
			reason, error,
			config->share ? "CPU %u is leased to %s alone: end that program, start it "
					"without --exclusive, or take another CPU"
				      : "CPU %u is leased to %s: end that program, take another "
					"CPU, or start both programs so that they share it "
					"(TACTUS_SHARE=1; tactus run does so unless it has "
					"--exclusive)",
			linux_cpu, holder);
	if (error)
		return linux_refuse(reason, error, "cannot write the lease of CPU %u: %s",
				    linux_cpu, holder);
	return 0;
}

static int check_named(uint32_t linux_cpu, const cpu_set_t *allowed, const cpu_set_t *named,
		       char reason[HAL_REASON_BYTES])
{
	long configured = sysconf(_SC_NPROCESSORS_CONF);

	if (linux_cpu >= CPU_SETSIZE || (long)linux_cpu >= configured)
		return linux_refuse(reason, -TACT_ENXIO,
				    "there is no CPU %u: this machine has CPU 0 to %ld", linux_cpu,
				    configured - 1);
	if (!CPU_ISSET(linux_cpu, allowed))
		return linux_refuse(
			reason, -TACT_EPERM,
			"CPU %u is offline or outside of the CPUs that this process may "
			"use: see taskset and the cpuset",
			linux_cpu);
	if (CPU_ISSET(linux_cpu, named))
		return linux_refuse(reason, -TACT_EINVAL, "CPU %u is named twice", linux_cpu);
	return 0;
}

/* The CPUs of the calling thread go before the program's other ones, and among each the isolated
 * ones go first. */
static unsigned rank(uint32_t cpu, const cpu_set_t *own, const cpu_set_t *isolated)
{
	return (CPU_ISSET(cpu, own) ? 0 : 2) + (CPU_ISSET(cpu, isolated) ? 0 : 1);
}

/* Among which CPUs a free choice chooses. */
struct choice {
	const cpu_set_t *allowed, *own, *isolated, *taken;
};

static bool is_candidate(const struct choice *from, uint32_t cpu)
{
	return CPU_ISSET(cpu, from->allowed) && !CPU_ISSET(cpu, from->taken);
}

static int take_of(const struct hal_config *config, const struct choice *from, bool unused_only,
		   uint32_t *linux_cpu, char reason[HAL_REASON_BYTES])
{
	int error = -TACT_EBUSY;

	for (unsigned pass = 0; pass < 4; pass++) {
		for (uint32_t cpu = CPU_SETSIZE; cpu-- > 0;) {
			if (!is_candidate(from, cpu) ||
			    rank(cpu, from->own, from->isolated) != pass ||
			    (unused_only && !linux_lease_is_unused(cpu)))
				continue;
			error = take(config, cpu, reason);
			if (!error) {
				*linux_cpu = cpu;
				return 0;
			}
		}
	}
	return error;
}

/* One isolated CPU is enough, because no other thread uses it. Of the other CPUs, one stays for
 * Linux. */
static bool unused_ones_suffice(const struct choice *from)
{
	unsigned count = 0;

	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!is_candidate(from, cpu) || !linux_lease_is_unused(cpu))
			continue;
		if (CPU_ISSET(cpu, from->isolated))
			return true;
		count++;
	}
	return count > 1;
}

/* Programs that share get CPUs of their own while there are enough. */
static int take_any(const struct hal_config *config, const struct choice *from, uint32_t *linux_cpu,
		    char reason[HAL_REASON_BYTES])
{
	int error;

	if (config->share && unused_ones_suffice(from) &&
	    !take_of(config, from, true, linux_cpu, reason))
		return 0;
	error = take_of(config, from, false, linux_cpu, reason);
	if (error && !reason[0])
		linux_refuse(reason, error,
			     "no CPU is left: other programs have all that this process may use "
			     "(%d); end one of them, or let this one use more (taskset)",
			     CPU_COUNT(from->allowed));
	return error;
}

/* A thread may be made for one CPU. So the CPUs of the program's first thread count, too. */
static int find_allowed(cpu_set_t *own, cpu_set_t *allowed)
{
	if (sched_getaffinity(0, sizeof(*own), own))
		return -TACT_ENOSYS;
	CPU_ZERO(allowed);
	(void)sched_getaffinity(getpid(), sizeof(*allowed), allowed);
	CPU_OR(allowed, allowed, own);
	return 0;
}

/*
 * A CPU that another program has leased is no CPU for shadows, because that program may keep it for
 * good. A CPU that is leased later still counts: cpu_borrow.c.
 */
static bool is_one_free(const cpu_set_t *cpus)
{
	for (uint32_t cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, cpus) && linux_lease_is_free(cpu))
			return true;
	return false;
}

/* On failure the caller drops the leases that were taken. */
int linux_cpus_select(const struct hal_config *config, uint32_t linux_cpus[],
		      char reason[HAL_REASON_BYTES])
{
	cpu_set_t allowed, own, isolated, taken;
	const struct choice from = {&allowed, &own, &isolated, &taken};
	int error;

	CPU_ZERO(&taken);
	CPU_ZERO(&isolated);
	linux_cpus_read("/sys/devices/system/cpu/isolated", &isolated);
	if (find_allowed(&own, &allowed))
		return linux_refuse(reason, -TACT_ENOSYS, "more than %d CPUs", CPU_SETSIZE);

	for (unsigned i = 0; i < config->cpu_count; i++) {
		linux_cpus[i] = config->linux_cpus ? config->linux_cpus[i] : HAL_ANY_CPU;
		if (linux_cpus[i] == HAL_ANY_CPU)
			continue;
		error = check_named(linux_cpus[i], &allowed, &taken, reason);
		if (error)
			return error;
		CPU_SET(linux_cpus[i], &taken);
	}
	/* The requested ones first: the free choice must not take them. */
	for (unsigned i = 0; i < config->cpu_count; i++) {
		if (linux_cpus[i] == HAL_ANY_CPU)
			continue;
		error = take(config, linux_cpus[i], reason);
		if (error)
			return error;
	}
	for (unsigned i = 0; i < config->cpu_count; i++) {
		if (linux_cpus[i] != HAL_ANY_CPU)
			continue;
		error = take_any(config, &from, &linux_cpus[i], reason);
		if (error)
			return error;
		CPU_SET(linux_cpus[i], &taken);
	}
	reason[0] = 0; /* CPUs that were busy meanwhile do not matter */

	CPU_XOR(&linux_program.other_cpus, &allowed, &taken);
	linux_program.other_cpus_differ = is_one_free(&linux_program.other_cpus);
	if (!linux_program.other_cpus_differ)
		linux_program.other_cpus = allowed;
	return 0;
}
