/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The CPUs of the machine, and those of the program. */
#include "cobalt_internal.h"

#include <stdio.h>
#include <unistd.h>

#include <boilerplate/ancillaries.h>

int get_online_cpu_set(cpu_set_t *cpuset)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);
	char path[64];

	if (count < 1)
		return -ENOSYS;
	CPU_ZERO(cpuset);
	for (int cpu = 0; cpu < count && cpu < CPU_SETSIZE; cpu++) {
		FILE *file;
		int online = 1;

		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
		file = fopen(path, "re");
		if (file && fscanf(file, "%d", &online) != 1)
			online = 1;
		if (file)
			(void)fclose(file);
		if (online)
			CPU_SET((unsigned)cpu, cpuset);
	}
	return 0;
}

int get_realtime_cpu_set(cpu_set_t *cpuset)
{
	struct tact_cpu_info info = {0};

	CPU_ZERO(cpuset);
	if (!posix_start())
		return -ENOSYS;
	for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++)
		if (!tact_cpu_inquire(cpu, &info) && info.linux_cpu < CPU_SETSIZE)
			CPU_SET(info.linux_cpu, cpuset);
	return 0;
}

int get_current_cpu(void)
{
	int cpu = sched_getcpu();

	return cpu < 0 ? -errno : cpu;
}
