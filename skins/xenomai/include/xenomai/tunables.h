/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Settings that a program makes itself, in place of its command line. The tunables of the
 * configuration must be set before xenomai_init() ends: by the function tune() of a setup
 * descriptor (boilerplate/setup.h), or by main() before it calls xenomai_init(). The command line
 * has precedence; afterwards a tunable has the value of the command line.
 *
 *   config   cpu_affinity (cpu_set_t), mem_pool_size (size_t, bytes; at least 4 MiB),
 *            print_buffer_size (int, bytes), print_buffer_count (int), print_sync_delay (int, ms),
 *            no_mlock, no_sanity (int; no effect)
 *   runtime  verbosity_level (int; 0: do not say what the machine does not provide), trace_level
 *            (int)
 *
 * Source: Xenomai 3, "Application setup and init", tunables.
 */
#ifndef XENOMAI_TUNABLES_H
#define XENOMAI_TUNABLES_H

#include <assert.h>
#include <stddef.h>

#include <boilerplate/setup.h>

#define set_config_tunable(name, value)          \
	do {                                     \
		assert(!__config_done);          \
		__assign_##name##_config(value); \
	} while (0)
#define get_config_tunable(name)         __read_##name##_config()
#define set_runtime_tunable(name, value) __assign_##name##_runtime(value)
#define get_runtime_tunable(name)        __read_##name##_runtime()

/* A program defines a tunable of its own by define_config_tunable(name, type, parameter) { … } */
#define define_config_tunable(name, type, value) \
	void __assign_##name##_config(__typeof__(type) value)
#define define_runtime_tunable(name, type, value) \
	void __assign_##name##_runtime(__typeof__(type) value)
#define read_config_tunable(name, type)  __typeof__(type) __read_##name##_config(void)
#define read_runtime_tunable(name, type) __typeof__(type) __read_##name##_runtime(void)

#ifdef __cplusplus
extern "C" {
#endif

define_config_tunable(mem_pool_size, size_t, bytes);
read_config_tunable(mem_pool_size, size_t);
define_config_tunable(print_buffer_size, int, bytes);
read_config_tunable(print_buffer_size, int);
define_config_tunable(print_buffer_count, int, count);
read_config_tunable(print_buffer_count, int);
define_config_tunable(print_sync_delay, int, ms);
read_config_tunable(print_sync_delay, int);

#ifdef __USE_GNU /* cpu_set_t, and the other members of the same structure */
static inline define_config_tunable(cpu_affinity, cpu_set_t, cpus)
{
	__base_setup_data.cpu_affinity = cpus;
}

static inline read_config_tunable(cpu_affinity, cpu_set_t)
{
	return __base_setup_data.cpu_affinity;
}

static inline define_config_tunable(no_mlock, int, value)
{
	__base_setup_data.no_mlock = value;
}

static inline read_config_tunable(no_mlock, int)
{
	return __base_setup_data.no_mlock;
}

static inline define_config_tunable(no_sanity, int, value)
{
	__base_setup_data.no_sanity = value;
}

static inline read_config_tunable(no_sanity, int)
{
	return __base_setup_data.no_sanity;
}

static inline define_runtime_tunable(verbosity_level, int, level)
{
	__base_setup_data.verbosity_level = level;
}

static inline read_runtime_tunable(verbosity_level, int)
{
	return __base_setup_data.verbosity_level;
}

static inline define_runtime_tunable(trace_level, int, level)
{
	__base_setup_data.trace_level = level;
}

static inline read_runtime_tunable(trace_level, int)
{
	return __base_setup_data.trace_level;
}
#endif

#ifdef __cplusplus
}
#endif

#endif
