/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The nucleus of the conformance suite: the minimum that drives every upcall and every call of the
 * HAL contract, so that a back end is tested alone. It has tasks without priorities, one ready list
 * for each CPU, sleeps, and moves to the shadow and back. Every change of a CPU's lists happens on
 * that CPU, stalled.
 */
#ifndef SUITE_NUCLEUS_H
#define SUITE_NUCLEUS_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/inbox.h"
#include "base/list.h"
#include "hal/hal.h"

struct suite_task {
	struct base_inbox_node message;
	struct base_inbox_node signal_message;
	struct base_list link;
	struct hal_context context;
	struct hal_stack stack;
	void (*entry)(void *arg);
	void *arg;
	unsigned cpu;
	uint64_t wake_ns;
	struct hal_shadow *shadow;
	bool relax;           /* give it to its shadow when it is off the CPU */
	_Atomic bool migrate; /* the same with the next CPU; taken at an event */
	bool ended;
	bool attached;
	struct hal_fault fault; /* cause 0: none */
	_Atomic unsigned linux_calls, signals, parked, moves;
	bool refuse_linux_calls;
	struct hal_word done;
};

struct suite_cpu {
	struct hal_cpu hal;
	struct hal_context idle;
	struct base_inbox inbox;
	struct base_inbox signals;
	struct base_list ready;
	struct base_list sleeping;
	struct suite_task *current;
	struct suite_task *left; /* the task that the CPU has just switched from */
	_Atomic unsigned starts, events, idles;
	_Atomic uint64_t event_ns; /* of the last event */
	/* A test may replace what an event does, and use the idle loop for itself. */
	void (*on_event)(struct suite_cpu *cpu);
	void (*on_idle)(struct suite_cpu *cpu);
	_Atomic bool stopping;
};

extern struct suite_cpu suite_cpus[HAL_MAX_CPUS];
extern _Atomic unsigned suite_watches, suite_wall_changes, suite_handlers;
/* A test may delay nuc_upcall_shadow_signal() before it does anything. */
extern void (*suite_on_signal)(struct suite_task *task);
/* The argument of the latest nuc_upcall_handlers(). */
extern _Atomic uint64_t suite_pending;
extern unsigned suite_cpu_count;

/* A configuration for so many CPUs; suite_start() ends the test when hal_start() fails. */
struct hal_config suite_config(unsigned cpus);
int suite_try_start(const struct hal_config *config, char reason[256]);
void suite_start(unsigned cpus);
void suite_start_with(const struct hal_config *config);
void suite_stop(void);

/* Context: linux. full: with a shadow. */
void suite_task_start(struct suite_task *task, unsigned cpu, bool full, void (*entry)(void *arg),
		      void *arg);
void suite_task_start_on(size_t stack_bytes, struct suite_task *task, unsigned cpu, bool full,
			 void (*entry)(void *arg), void *arg);
void suite_task_join(struct suite_task *task);
/* The calling thread is a task until suite_release(); it begins in secondary mode. */
void suite_attach(struct suite_task *task, unsigned cpu);
void suite_release(struct suite_task *task);

/* Context: task. */
struct suite_task *suite_self(void);
void suite_yield(void);
void suite_sleep_until(uint64_t instant_ns);
void suite_harden(void); /* from the shadow to the CPU */
void suite_relax(void);  /* from the CPU to the shadow */
/* Put it on its CPU's ready list, from anywhere. */
void suite_send(struct suite_task *task);

/* Between nucleus.c and nucleus_task.c: the caller's CPU, stalled; leave the running task; end it.
 */
struct suite_cpu *suite_here(void);
void suite_to_idle(struct suite_cpu *cpu);
void suite_end(struct suite_cpu *cpu) __attribute__((noreturn));

#endif
