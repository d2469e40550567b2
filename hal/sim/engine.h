/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The discrete-event engine of the virtual-time back end. Everything that runs by itself is an
 * entity: a simulated real-time CPU, the main Linux thread, further Linux threads, shadows, and the
 * watcher. One host thread runs them all, always the one whose time is the smallest; the code
 * between two scheduling points of an entity therefore runs at one instant and alone.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/list.h"
#include "hal/context.h"
#include "hal/cpu.h"

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
	struct hal_context flow;     /* where it goes on, while another entity runs */
	void *fibre;                 /* the sanitizer's, of its own stack */
	struct hal_context *context; /* what it last switched to; NULL: its own stack */
	uint64_t now_ns;
	uint64_t due_ns; /* when it wants to run next; SIM_NEVER: when somebody says so */
	enum sim_kind kind;
	enum sim_wait wait;
	uint32_t id;
	uint32_t pace;             /* perturbation: cost multiplier, drawn anew now and then */
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
	struct sim_entity *ended; /* to be freed by the next that runs */
	struct base_list entities;
	uint32_t next_id;
	uint64_t limit_ns;
	uint64_t points[SIM_POINTS];
	uint64_t hand_overs;
	uint64_t heartbeat; /* scheduling points so far; the host watchdog looks at it */
};

extern struct sim_engine sim_engine;

/* Is the caller a host thread that the simulation does not know? */
bool sim_foreign(void);

/* Everything as before the first start, the calling flow being the main Linux thread. */
void sim_engine_reset(void);

/* A scheduling point: time passes (at least 1 ns), others whose time has come run. */
void sim_engine_point(enum sim_point point);

/* The same with a given cost, which may be 0 when the entity has moved its time itself. */
void sim_engine_spend(enum sim_point point, uint64_t cost_ns);

/* Sleep until the instant, or until somebody makes the entity due earlier. */
void sim_engine_wait(enum sim_point point, enum sim_wait wait, uint64_t until_ns);

/* The entity is due no later than the instant (and not before now). */
void sim_engine_make_due(struct sim_entity *entity, uint64_t instant_ns);

/* entity.c: an entity that runs entry(arg) on a stack of its own from now on. */
int sim_entity_start(struct sim_entity *entity, enum sim_kind kind, uint32_t id, const char *name,
		     size_t stack_bytes, void (*entry)(void *arg), void *arg);
struct sim_entity *sim_entity_new(void);
/* The calling entity is no more. */
void sim_entity_end(void) __attribute__((noreturn));
/* Take an entity that does not run out of the simulation and give back its stacks. */
void sim_entity_remove(struct sim_entity *entity);
/* Free what ended itself; called by whoever runs next. */
void sim_entity_reap(void);
/* "cpu 0 idles without a deadline; …" */
void sim_entity_describe(char *text, size_t capacity);

#endif
