/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Statistics of real-time CPUs, and marks in the trace. The figures of tasks are in
 * tact_task_inquire(); tools of other processes read both from the status segment.
 */
#ifndef TACTUS_STAT_H
#define TACTUS_STAT_H

#include <stdint.h>

#include <tactus/start.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

struct tact_cpu_info {
	uint32_t linux_cpu;
	/* 1: tasks in secondary mode and the program's other threads have other CPUs; 0: they share
	 * this one, or there is no Linux below (virtual time). */
	uint32_t apart;
	uint32_t tasks; /* existing now, the nucleus's own server included */
	uint64_t switches;
	uint64_t events;   /* timer shots, kicks and interrupts served */
	uint64_t messages; /* from other real-time CPUs and Linux threads */
	uint64_t idle_ns;  /* without a task */
	uint64_t spun_ns;  /* of it and of releases: spun away for precision */
	/* The longest time between two looks at the clock while it spun, and the latest end of a
	 * sleep. A release that was no later than these was late because an interrupt, another
	 * thread, the firmware or a hypervisor had the processor. 0 in virtual time. */
	uint64_t gap_max_ns;
	uint64_t wake_late_max_ns;
	uint64_t faults; /* tasks stopped by a fault */
	/* Served on it, in tasks, handlers and the nucleus itself; each stops the whole CPU. 0
	 * where Linux does not let them be counted, which tact_start() tells. */
	uint64_t page_faults;
	uint64_t watchdog_hits;
	uint64_t pool_total_bytes;
	uint64_t pool_used_bytes;
	uint64_t timers;             /* armed now */
	uint64_t objects;            /* whose home it is */
	struct tact_gravity gravity; /* in use: given, stored for this machine, or built in */
};

/**
 * Inquire a real-time CPU. info may be NULL.
 * Returns 0, -TACT_ENXIO (no such CPU), -TACT_EPERM (not started, or another CPU from a handler).
 * Context: task, linux; handler for its own CPU. Cost: O(1).
 */
int tact_cpu_inquire(uint32_t cpu, struct tact_cpu_info *info);

/**
 * Leave a mark in the trace of this CPU, with the time and two values of the caller's.
 * Returns 0, -TACT_EPERM (not on a real-time CPU; a task in secondary mode does not come back for
 * this). Context: task, handler. Cost: O(1), some ten nanoseconds.
 */
int tact_trace_mark(uint32_t a, uint64_t b);

/**
 * Switch tracing of a real-time CPU on or off; it is on at start.
 * Returns 0, -TACT_ENXIO, -TACT_EPERM (not started, or another CPU from a handler).
 * Context: task, linux; handler for its own CPU. Cost: O(1).
 */
int tact_trace_enable(uint32_t cpu, int on);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
