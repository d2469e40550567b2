/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of the virtual-time back end share beside the engine. */
#ifndef SIM_PORT_H
#define SIM_PORT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine.h"
#include "hal/hal.h"
#include "hal/sim.h"

struct sim_cpu {
	struct sim_entity entity;
	struct hal_cpu *hal;
	uint64_t shot_ns; /* when the armed shot arrives */
	uint64_t kick_ns; /* when the earliest kick arrives */
	uint32_t raised;  /* interrupts that come with it */
	uint64_t spun_ns;
};

struct sim_options {
	bool seeded;
	uint64_t seed;
	struct hal_sim_costs costs;
	uint64_t limit_ns;
	uint32_t watchdog_s;
	char trace[256];
};

/* What a started program runs with. */
struct sim_run {
	struct sim_options options;
	struct sim_cpu cpus[HAL_MAX_CPUS];
	unsigned cpu_count;
	enum hal_idle idle;
	uint32_t gravity_idle_ns;
	uint32_t gravity_preempt_ns;
	int64_t wall_offset_ns;
};

extern struct sim_run sim_run;

static inline uint64_t sim_add_ns(uint64_t instant_ns, uint64_t duration_ns)
{
	return duration_ns > SIM_NEVER - 1 - instant_ns ? SIM_NEVER - 1 : instant_ns + duration_ns;
}

/* options.c */
void sim_options_default(struct sim_options *options);
int sim_options_parse(struct sim_options *options, const char *text, const char *source,
		      char reason[256]);

/* perturb.c */
void sim_perturb_start(bool seeded, uint64_t seed);
/* What a scheduling point costs this entity now; at least 1 ns. */
uint64_t sim_perturb_cost(struct sim_entity *entity);
/* A given latency, stretched now and then when seeded. */
uint64_t sim_perturb_latency(uint64_t latency_ns);
/* 0 … n - 1; always n - 1 without a seed, so that the first of equals stays chosen. */
uint32_t sim_perturb_choose(uint32_t n);
/* True about once in n times when seeded, never otherwise. */
bool sim_perturb_rarely(uint32_t n);

/* trace.c */
int sim_trace_start(const char *path, char reason[256]);
void sim_trace_record(const struct sim_entity *from, enum sim_point point,
		      const struct sim_entity *to);
void sim_trace_stop(void);

/* cpu.c */
/* Deliver the events whose time has come, if the caller is on a CPU that is not stalled. */
void sim_cpu_deliver(void);
/* A scheduling point of the CPU's code, where events may arrive. */
void sim_cpu_point(enum sim_point point);
/* Stall the CPU that runs the caller; NULL when it is none. No time passes. */
struct sim_cpu *sim_cpu_stall(void);
/* The end of an upcall: whatever runs the caller by now is no longer stalled. */
void sim_cpu_unstall(void);

/* linux.c */
void sim_panicf(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

/* shadow.c */
void sim_shadow_remove_all(void);
/* The task has just come to run on a shadow: give it the notice that waits for it. */
void sim_shadow_notice(void);

/* stack.c: as hal_stack_get(), from any entity. */
int sim_stack_map(size_t bytes, struct hal_stack *stack);
void sim_stack_release_pool(void);
bool sim_stack_in_guard(const void *base, uintptr_t address);

/* fault.c */
int sim_fault_start(uint32_t watchdog_s);
void sim_fault_stop(void);

#endif
