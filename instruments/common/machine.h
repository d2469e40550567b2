/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the instruments need from the machine: a CPU, real-time priority, memory that stays, no deep
 * sleep states. If something is refused, it becomes a notice, except the CPU, without which there
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

/* The highest CPU that this process may use; 0 if even that is unknown. */
int machine_highest_cpu(void);

/* The kernel kills this process when its parent ends, even by kill -9. */
void machine_die_with_parent(void);

/* Check the CPU; find out whether SCHED_FIFO up to `priority` is allowed; lock memory; hold
 * /dev/cpu_dma_latency at 0. Returns 0, or -1 after one line on stderr. */
int machine_prepare(struct machine *machine, int cpu, int priority, struct notices *notices);

/* Keep the calling thread off the CPU if there is another one, also the threads that it starts in
 * other ways than below: preparations, waits and writes must not run on the CPU of the tasks. */
void machine_leave_cpu(const struct machine *machine);
/* The same for this CPU and the following ones, count in all. */
void machine_leave_cpus(const struct machine *machine, int count);

/* Start a thread on the CPU, under SCHED_FIFO at `priority` if that is allowed.
 * Returns 0 or an errno value of pthread_create(). */
int machine_thread_start(const struct machine *machine, pthread_t *thread, int priority,
			 void *(*entry)(void *), void *arg);

#endif
