/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Schedules of SCHED_TP: the nucleus's time partitions. The installed schedule is kept, so that it
 * can be read. */
#include "cobalt_internal.h"

#include <stdlib.h>
#include <string.h>

static struct __sched_config_tp *installed[TACT_CPU_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The windows follow one another from 0 on; those without a partition become gaps. Returns how many
 * remain. */
static int convert(const struct __sched_config_tp *config, struct tact_partition_window *windows,
		   uint64_t *frame_ns)
{
	uint64_t end_ns = 0;
	int count = 0;

	if (config->nr_windows < 1 || config->nr_windows > (int)TACT_PARTITION_WINDOWS_MAX)
		return -EINVAL;
	for (int i = 0; i < config->nr_windows; i++) {
		const struct sched_tp_window *from = &config->windows[i];

		if (!posix_time_is_valid(&from->offset) || !posix_time_is_valid(&from->duration) ||
		    posix_ns(&from->offset) != end_ns || !posix_ns(&from->duration) ||
		    from->ptid < -1 || from->ptid >= (int)TACT_PARTITIONS)
			return -EINVAL;
		if (from->ptid >= 0)
			windows[count++] = (struct tact_partition_window){
				.offset_ns = end_ns,
				.length_ns = posix_ns(&from->duration),
				.partition = (uint32_t)from->ptid,
			};
		end_ns += posix_ns(&from->duration);
	}
	*frame_ns = end_ns;
	return count;
}

static void keep(int cpu, struct __sched_config_tp *config)
{
	free(installed[cpu]);
	installed[cpu] = config;
}

static int install(int cpu, const struct __sched_config_tp *config)
{
	struct tact_partition_window windows[TACT_PARTITION_WINDOWS_MAX];
	struct __sched_config_tp *copy;
	uint64_t frame_ns;
	int count = convert(config, windows, &frame_ns);
	int error;

	if (count < 1)
		return -EINVAL;
	copy = malloc(sched_tp_confsz((size_t)config->nr_windows));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, config, sched_tp_confsz((size_t)config->nr_windows));
	(void)tact_partition_stop((uint32_t)cpu);
	error = tact_partition_set((uint32_t)cpu, windows, (uint32_t)count, frame_ns);
	if (error)
		free(copy);
	else
		keep(cpu, copy);
	return error;
}

static int uninstall(int cpu)
{
	int error;

	(void)tact_partition_stop((uint32_t)cpu);
	error = tact_partition_set((uint32_t)cpu, NULL, 0, 0);
	if (!error)
		keep(cpu, NULL);
	return error;
}

static int apply(int cpu, const struct __sched_config_tp *config)
{
	int error;

	switch (config->op) {
	case sched_tp_install:
		return config->nr_windows ? install(cpu, config) : uninstall(cpu);
	case sched_tp_uninstall:
		return uninstall(cpu);
	case sched_tp_start:
		error = tact_partition_start((uint32_t)cpu, (tact_time_t){0});
		/* It is no error here if there is nothing to start, or if it is started already. */
		return error == -TACT_ESRCH || error == -TACT_EBUSY ? 0 : error;
	case sched_tp_stop:
		return tact_partition_stop((uint32_t)cpu);
	default:
		return -EINVAL;
	}
}

int cobalt_partition_set(int cpu, const struct __sched_config_tp *config)
{
	int error;

	posix_real.pthread_mutex_lock(&lock);
	error = apply(cpu, config);
	posix_real.pthread_mutex_unlock(&lock);
	return error;
}

static ssize_t copy_out(int cpu, struct __sched_config_tp *config, size_t bytes)
{
	const struct __sched_config_tp *from = installed[cpu];
	size_t all = from ? sched_tp_confsz((size_t)from->nr_windows) : 0;

	if (!from)
		return 0;
	if (bytes < sched_tp_confsz(1))
		return -ENOSPC;
	memcpy(config, from, bytes < all ? bytes : all);
	config->op = sched_tp_install;
	return (ssize_t)all;
}

ssize_t cobalt_partition_get(int cpu, struct __sched_config_tp *config, size_t bytes)
{
	ssize_t result;

	posix_real.pthread_mutex_lock(&lock);
	result = copy_out(cpu, config, bytes);
	posix_real.pthread_mutex_unlock(&lock);
	return result;
}
