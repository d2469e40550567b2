/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Statistics of real-time CPUs, and marks in the trace. tact_task_inquire() gives the figures of
 * tasks. Tools of other processes read both from the status segment.
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
	uint32_t size;
	uint32_t linux_cpu;
	/* 1: tasks in secondary mode and the other threads of the program have other CPUs. 0: they
	 * share this one, or there is no Linux below (virtual time). */
	uint32_t apart;
	uint32_t tasks; /* existing now, the nucleus's own server included */
	uint64_t switches;
	uint64_t events;   /* timer shots, kicks and interrupts that were served */
	uint64_t messages; /* from other real-time CPUs and Linux threads */
	uint64_t idle_ns;  /* time without a task */
	uint64_t spun_ns;  /* time spent on spinning, idle or before releases, for precision */
	/* The longest time between two readings of the clock while the CPU spun, and the latest end
	 * of a sleep. If a release was late by no more than these, an interrupt, another thread,
	 * the firmware or a hypervisor had the processor. 0 in virtual time. */
	uint64_t gap_max_ns;
	uint64_t wake_late_max_ns;
	uint64_t faults; /* of tasks and handlers that were stopped */
	/* Page faults that were served on the CPU, in tasks, in handlers and in the nucleus; each
	 * stops the whole CPU. 0 if Linux does not let them be counted; tact_start() says so
	 * then. */
	uint64_t page_faults;
	uint64_t watchdog_hits;
	uint64_t pool_total_bytes;
	uint64_t pool_used_bytes;
	uint64_t timers;             /* armed now */
	uint64_t objects;            /* whose home is this CPU */
	struct tact_gravity gravity; /* in use: given, stored for this machine, or built in */
	uint32_t reserved;
};

/**
 * Inquire a real-time CPU. info: receives the figures, or NULL.
 * Returns 0, -TACT_EINVAL (size), -TACT_ENXIO (no such CPU), -TACT_EPERM (not started, or another
 * CPU from a handler).
 * Context: task, linux; handler for its own CPU. Cost: O(1).
 */
int tact_cpu_inquire(uint32_t cpu, struct tact_cpu_info *info);

/**
 * Write a mark into the trace of this CPU, with the time and two values of the caller.
 * Returns 0, -TACT_EPERM (not on a real-time CPU; a task in secondary mode does not come back to
 * primary mode for this).
 * Context: task, handler. Cost: O(1), some ten nanoseconds.
 */
int tact_trace_mark(uint32_t a, uint64_t b);

/**
 * Switch tracing of a real-time CPU on or off. It is on after the start.
 * Returns 0, -TACT_ENXIO, -TACT_EPERM (not started, or another CPU from a handler).
 * Context: task, linux; handler for its own CPU. Cost: O(1).
 */
int tact_trace_enable(uint32_t cpu, int on);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
