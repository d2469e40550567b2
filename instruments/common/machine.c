/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Preparation that is the same for every core, so that all are measured under the same
 * conditions. */
#include "common/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "common/complain.h"

#define SET_BYTES    CPU_ALLOC_SIZE(MACHINE_CPUS_MAX)
#define STACK_BYTES  (128u * 1024)
#define MEMORY_WANTS (64ul << 20) /* rings, stacks and libraries of the largest usual run */

/* A set of MACHINE_CPUS_MAX CPUs, more than cpu_set_t holds. */
union wide_set {
	cpu_set_t set;
	unsigned char bytes[MACHINE_CPUS_MAX / 8];
};

int machine_highest_cpu(void)
{
	union wide_set allowed = {.bytes = {0}};

	if (sched_getaffinity(0, SET_BYTES, &allowed.set) < 0)
		return 0;
	for (int cpu = MACHINE_CPUS_MAX - 1; cpu > 0; cpu--) {
		if (CPU_ISSET_S(cpu, SET_BYTES, &allowed.set))
			return cpu;
	}
	return 0;
}

void machine_die_with_parent(void)
{
	const pid_t parent = getppid();

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* It may have ended before the request. */
	if (getppid() != parent)
		_exit(EXIT_FAILURE);
}

static void read_line(const char *path, char *text, size_t bytes)
{
	FILE *file = fopen(path, "r");

	if (file == NULL || fgets(text, (int)bytes, file) == NULL)
		(void)snprintf(text, bytes, "unknown");
	if (file != NULL)
		(void)fclose(file);
	text[strcspn(text, "\n")] = '\0';
}

static int check_cpu(int cpu, const union wide_set *allowed)
{
	char online[128];
	char path[64];

	if (CPU_ISSET_S(cpu, SET_BYTES, &allowed->set))
		return 0;
	(void)snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d", cpu);
	read_line("/sys/devices/system/cpu/online", online, sizeof(online));
	if (access(path, F_OK) != 0)
		complain("CPU %d does not exist: use --cpu with one of %s", cpu, online);
	else
		complain("CPU %d is not allowed here (offline, or outside the process's affinity "
			 "or cpuset): use --cpu with another one, online are %s",
			 cpu, online);
	return -1;
}

static bool realtime_is_allowed(int priority, struct notices *notices)
{
	const struct sched_param normal = {.sched_priority = 0};
	const struct sched_param wanted = {.sched_priority = priority};

	if (sched_setscheduler(0, SCHED_FIFO, &wanted) == 0) {
		(void)sched_setscheduler(0, SCHED_OTHER, &normal);
		return true;
	}
	/* Without SCHED_FIFO, the default slack of 50 us would dominate the measurement. */
	(void)prctl(PR_SET_TIMERSLACK, 1ul);
	notices_add(
		notices,
		"no permission for SCHED_FIFO priority %d: measuring as SCHED_OTHER; run as root, "
		"with CAP_SYS_NICE, or raise `ulimit -r`",
		priority);
	return false;
}

static void lock_memory(struct notices *notices)
{
	struct rlimit limit = {0, 0};

	(void)getrlimit(RLIMIT_MEMLOCK, &limit);
	/* If all future memory is locked under a small limit, later allocations fail. */
	if (geteuid() != 0 && limit.rlim_cur < MEMORY_WANTS) {
		notices_add(notices,
			    "memory is not locked, because only %llu KiB may be: raise `ulimit -l` "
			    "to %lu "
			    "or run as root",
			    (unsigned long long)limit.rlim_cur / 1024, MEMORY_WANTS / 1024);
	} else if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) {
		notices_add(
			notices,
			"memory is not locked (%s): raise `ulimit -l` to %lu or run as root with "
			"CAP_IPC_LOCK",
			strerror(errno), MEMORY_WANTS / 1024);
	}
}

static void hold_shallow_sleep(struct notices *notices)
{
	const int32_t latency_us = 0;
	const int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

	/* Left open on purpose: the request lasts as long as the descriptor. */
	if (fd >= 0 && write(fd, &latency_us, sizeof(latency_us)) == sizeof(latency_us))
		return;
	if (errno != ENOENT)
		notices_add(notices,
			    "deep sleep states stay on (/dev/cpu_dma_latency: %s): run as "
			    "root",
			    strerror(errno));
}

int machine_prepare(struct machine *machine, int cpu, int priority, struct notices *notices)
{
	union wide_set allowed = {.bytes = {0}};

	if (sched_getaffinity(0, SET_BYTES, &allowed.set) < 0) {
		complain("the CPUs of this process cannot be read: %s", strerror(errno));
		return -1;
	}
	if (check_cpu(cpu, &allowed) < 0)
		return -1;
	machine->cpu = cpu;
	machine->realtime = realtime_is_allowed(priority, notices);
	lock_memory(notices);
	hold_shallow_sleep(notices);
	return 0;
}

void machine_leave_cpus(const struct machine *machine, int count)
{
	union wide_set allowed = {.bytes = {0}};

	if (sched_getaffinity(0, SET_BYTES, &allowed.set) < 0)
		return;
	for (int cpu = machine->cpu; cpu < machine->cpu + count && cpu < MACHINE_CPUS_MAX; cpu++)
		CPU_CLR_S(cpu, SET_BYTES, &allowed.set);
	if (CPU_COUNT_S(SET_BYTES, &allowed.set) > 0)
		(void)sched_setaffinity(0, SET_BYTES, &allowed.set);
}

void machine_leave_cpu(const struct machine *machine)
{
	machine_leave_cpus(machine, 1);
}

int machine_thread_start(const struct machine *machine, pthread_t *thread, int priority,
			 void *(*entry)(void *), void *arg)
{
	const struct sched_param parameters = {.sched_priority = priority};
	union wide_set one = {.bytes = {0}};
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);

	if (error != 0)
		return error;
	CPU_SET_S(machine->cpu, SET_BYTES, &one.set);
	error = pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (error == 0)
		error = pthread_attr_setaffinity_np(&attributes, SET_BYTES, &one.set);
	if (error == 0 && machine->realtime) {
		(void)pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
		(void)pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
		error = pthread_attr_setschedparam(&attributes, &parameters);
	}
	if (error == 0)
		error = pthread_create(thread, &attributes, entry, arg);
	(void)pthread_attr_destroy(&attributes);
	return error;
}
