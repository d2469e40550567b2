/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the instruments want from the machine: a CPU, real-time priority, memory that stays, no
 * deep sleep states. What it will not give becomes a notice, except the CPU, without which there
 * is nothing to measure. The kernel undoes all of it when the process ends, however it ends.
 */
#ifndef COMMON_MACHINE_H
#define COMMON_MACHINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "common/notices.h"

#define MACHINE_CPUS_MAX 4096

struct machine {
	int cpu;
	bool realtime; /* SCHED_FIFO may be used */
};

/* The highest CPU that this process may use; 0 if even that cannot be found out. */
int machine_highest_cpu(void);

/* The kernel kills this process when the one that started it ends, even by kill -9. */
void machine_die_with_parent(void);

/*
 * Check the CPU; find out about SCHED_FIFO up to `priority`; lock memory; hold
 * /dev/cpu_dma_latency at 0. Returns 0, or -1 after one line on stderr.
 */
int machine_prepare(struct machine *machine, int cpu, int priority, struct notices *notices);

/*
 * Keep the calling thread, and those that it starts otherwise than below, off the CPU where there
 * is another one: who prepares, waits and writes must not run where the tasks do.
 */
void machine_leave_cpu(const struct machine *machine);
/* Likewise off it and those that follow, count in all. */
void machine_leave_cpus(const struct machine *machine, int count);

/*
 * Start a thread on the CPU, SCHED_FIFO at `priority` where allowed.
 * Returns 0 or an errno value of pthread_create().
 */
int machine_thread_start(const struct machine *machine, pthread_t *thread, int priority,
			 void *(*entry)(void *), void *arg);

#endif
