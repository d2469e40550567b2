/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What one run measures. options_parse() validates every field, so that code after it needs no
 * checks. Times are in nanoseconds. */
#ifndef LATENCY_OPTIONS_H
#define LATENCY_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum latency_back_end {
	LATENCY_BACK_END_LINUX,      /* a thread that sleeps in clock_nanosleep() */
	LATENCY_BACK_END_LINUX_SPIN, /* a thread that sleeps short and spins the rest */
	LATENCY_BACK_END_THREAD,     /* Tactus, a pinned Linux thread as real-time CPU */
	LATENCY_BACK_END_SIM,        /* Tactus, virtual time */
	LATENCY_BACK_END_BARE,       /* Tactus, a processor taken from Linux */
};

enum latency_context {
	LATENCY_CONTEXT_HANDLER, /* timer handler */
	LATENCY_CONTEXT_LIGHT,   /* task without a Linux thread */
	LATENCY_CONTEXT_TASK,    /* full task; for the Linux cores, a thread */
};

enum latency_idle {
	LATENCY_IDLE_SLEEP,
	LATENCY_IDLE_HYBRID,
	LATENCY_IDLE_SPIN,
};

/* The relative positions of the first releases of several tasks, see taskset.h. */
enum latency_phases {
	LATENCY_PHASES_TOGETHER,
	LATENCY_PHASES_SPREAD,
};

struct latency_options {
	enum latency_back_end back_end;
	enum latency_context context;
	enum latency_idle idle;
	enum latency_phases phases;
	unsigned int tasks; /* of each CPU */
	int cpu;            /* the first */
	unsigned int cpus;
	int priority; /* of the first task under SCHED_FIFO; task i has priority - i */
	uint64_t period_ns;
	uint64_t duration_ns;
	uint64_t lead_ns;  /* wakes this much before the release: linux-spin, and Tactus with
			    * hybrid */
	bool lead_given;   /* otherwise the lead of Tactus is its gravity */
	uint64_t turns_ns; /* releases avoid an emulator's turns: the period of its timer; 0: no */
	const char *samples_path; /* NULL: statistics only */
	bool busy;    /* Tactus cores: a task of the lowest priority computes all the time */
	bool gravity; /* only print the gravity */
	bool json;
	bool die_with_parent;
};

#define LATENCY_TASKS_MAX      64 /* of all CPUs */
#define LATENCY_CPUS_MAX       8
#define LATENCY_GRAVITY_MAX_NS 1000000u /* tact_config */

/* All tasks: those of the first CPU, then those of the next. */
static inline unsigned int options_entries(const struct latency_options *options)
{
	return options->tasks * options->cpus;
}

/*
 * Fill *options from the command line.
 * Returns 0; 1 if the run is over without a mistake (--help, --cores); -1 after one line on stderr
 * that says what is wrong and what to do.
 */
int options_parse(struct latency_options *options, int argc, char **argv);

/* Check that they may be combined. Returns 0, or -1 after one line on stderr. */
int options_check(const struct latency_options *options);

const char *options_back_end_name(enum latency_back_end back_end);
const char *options_context_name(enum latency_context context);
const char *options_idle_name(enum latency_idle idle);
const char *options_phases_name(enum latency_phases phases);

/* Can this build measure that? The library with which it is linked decides. */
bool run_built(enum latency_back_end back_end, enum latency_context context);

#endif
