/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The smallest nucleus that can drive the virtual-time back end: round robin, sleeping, tasks that
 * go to their shadow and come back. It exists so that what is only the simulation's can be tested
 * without the real nucleus above it.
 */
#ifndef SIM_NUCLEUS_H
#define SIM_NUCLEUS_H

#include <stdbool.h>

#include "base/inbox.h"
#include "base/list.h"
#include "hal/hal.h"
#include "hal/sim.h"

struct mini_task {
	struct base_inbox_node message;
	struct base_list link;
	struct hal_context context;
	struct hal_stack stack;
	void (*entry)(void *arg);
	void *arg;
	unsigned cpu;
	uint64_t wake_ns;
	struct hal_shadow *shadow;
	bool relax; /* give it to its shadow when it is off the CPU */
	enum hal_fault_cause fault;
	struct hal_word done;
};

struct mini_cpu {
	struct hal_cpu hal;
	struct hal_context idle;
	struct base_inbox inbox;
	struct base_list ready;
	struct base_list sleeping;
	struct mini_task *current;
	struct mini_task *left; /* just switched away from */
	unsigned events;
	uint64_t event_ns; /* of the last event */
	bool stopping;
};

extern struct mini_cpu mini_cpus[HAL_MAX_CPUS];
extern unsigned mini_parked, mini_linux_calls, mini_watches, mini_shadow_signals, mini_wall_changes;

int mini_start(unsigned cpus, const char *options, char reason[256]);
void mini_stop(unsigned cpus);

/* Context: linux. */
void mini_task_start(struct mini_task *task, unsigned cpu, bool full, void (*entry)(void *arg),
		     void *arg);
void mini_task_join(struct mini_task *task);

/* Context: task. */
void mini_yield(void);
void mini_sleep_until(uint64_t instant_ns);
void mini_harden(void); /* from the shadow back to the CPU */

#endif
