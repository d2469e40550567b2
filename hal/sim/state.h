/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The state of a simulation: what runs in it, at which time, and with which options. Everything
 * that runs by itself is an entity: a simulated real-time CPU, the main Linux thread, further Linux
 * threads, shadows, and the watcher.
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/list.h"
#include "hal/hal.h"
#include "hal/sim.h"

#define SIM_START_NS         1000000000ull
#define SIM_WALL_OFFSET_NS   1767225599000000000ll /* the run begins at 2026-01-01T00:00:00Z */
#define SIM_NEVER            UINT64_MAX
#define SIM_NAME_BYTES       24
#define SIM_ID_MAIN          32u /* real-time CPUs have their index */
#define SIM_ID_WATCHER       33u
#define SIM_ID_FIRST_DYNAMIC 34u

enum sim_kind {
	SIM_CPU,
	SIM_LINUX,  /* a plain Linux thread */
	SIM_SHADOW, /* a Linux thread that belongs to a task */
	SIM_WATCHER,
};

/* What an entity waits for, for the trace and for people. */
enum sim_wait {
	SIM_RUNS,
	SIM_COMPUTES,
	SIM_IDLES,
	SIM_WAITS_WORD,
	SIM_PARKED,
	SIM_ENDED,
};

/* Scheduling points; the numbers go into the trace hash. */
enum sim_point {
	SIM_POINT_ENTER = 1,
	SIM_POINT_LEAVE,
	SIM_POINT_NOW,
	SIM_POINT_KICK,
	SIM_POINT_COMPUTE,
	SIM_POINT_SPIN,
	SIM_POINT_IDLE,
	SIM_POINT_SHOT,
	SIM_POINT_RELAX,
	SIM_POINT_WAIT,
	SIM_POINT_WAKE,
	SIM_POINT_SHADOW,
	SIM_POINT_LINUX_CALL,
	SIM_POINT_WATCH,
	SIM_POINT_EVENT,
	SIM_POINT_START,
	SIM_POINT_END,
	SIM_POINTS
};

struct sim_cpu;
struct hal_shadow;

struct sim_entity {
	struct base_list all;        /* in sim_engine.entities, by creation */
	struct hal_context flow;     /* where it goes on; valid while another entity runs */
	void *fibre;                 /* the sanitizer's fibre of its own stack */
	struct hal_context *context; /* what it last switched to; NULL: its own stack */
	uint64_t now_ns;
	uint64_t due_ns; /* when it will run next; SIM_NEVER: when another entity says so */
	enum sim_kind kind;
	enum sim_wait wait;
	uint32_t id;
	uint32_t pace;             /* perturbation: cost multiplier, sometimes drawn anew */
	struct sim_cpu *cpu;       /* of a SIM_CPU */
	struct hal_shadow *shadow; /* of a SIM_SHADOW */
	const void *word;          /* of SIM_WAITS_WORD */
	struct hal_stack stack;    /* its own; base NULL: the host's */
	struct hal_stack fault_stack;
	void (*entry)(void *arg);
	void *arg;
	bool dynamic; /* from malloc, freed when it has ended */
	char name[SIM_NAME_BYTES];
};

struct sim_engine {
	bool started;
	uint64_t now_ns; /* of the entity that runs */
	struct sim_entity *current;
	struct sim_entity main;
	struct sim_entity *ended; /* the entity that runs next frees it */
	struct base_list entities;
	uint32_t next_id;
	uint64_t limit_ns;
	uint64_t points[SIM_POINTS];
	uint64_t hand_overs;
	uint64_t heartbeat; /* scheduling points so far; the host watchdog reads it */
};

extern struct sim_engine sim_engine;

struct sim_cpu {
	struct sim_entity entity;
	struct hal_cpu *hal;
	uint64_t shot_ns; /* when the armed shot arrives */
	uint64_t kick_ns; /* when the earliest kick arrives */
	uint32_t raised;  /* interrupts that come with the kick */
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

/* The parameters of a started program. */
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

/* Is the caller a host thread that the simulation does not know? */
bool sim_foreign(void);

/* Reset everything to the state before the first start; the calling flow becomes the main Linux
 * thread. */
void sim_state_reset(void);

#endif
