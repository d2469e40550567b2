/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs of tasks that compute, sleep, lock and send, and their course by a reference scheduler.
 * All times are nanoseconds since the programs' start.
 */
#ifndef TESTS_MODEL_PROGRAM_H
#define TESTS_MODEL_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_CPUS  4
#define MODEL_TASKS 10
#define MODEL_LOCKS 5
#define MODEL_STEPS 32
#define MODEL_NEVER UINT64_MAX

/* Budgets are as new at the start: all is made that long before. */
#define MODEL_LEAD_NS 60000000u

/* Independent events must be at least this far apart: a call, a switch and a message take less in
 * virtual time, and so do the errors of budgets. */
#define MODEL_GUARD_NS 5000u

enum step_kind {
	STEP_COMPUTE,
	STEP_SLEEP,
	STEP_LOCK, /* a mutex, or a reader-writer lock to write */
	STEP_READ,
	STEP_UNLOCK,
	STEP_SEND,
	STEP_RECEIVE,
	STEP_REPLY,
	STEP_RELEASE, /* of class EDF: the next one, or the last that has passed */
	STEP_END
};

struct step {
	enum step_kind kind;
	uint32_t lock;
	uint64_t ns;       /* COMPUTE, SLEEP: how long; waits: the timeout, or MODEL_NEVER */
	uint32_t on_error; /* the next step after a wait that timed out */
};

enum model_class {
	MODEL_FIFO,
	MODEL_EDF,
	MODEL_RR,
	MODEL_QUOTA, /* all of a CPU are one group */
	MODEL_SPORADIC,
	MODEL_CBS
};

enum model_lock { MODEL_MUTEX, MODEL_RWLOCK, MODEL_PORT };

struct task_program {
	uint32_t cpu;
	enum model_class class;
	uint32_t priority;
	uint32_t low_priority; /* sporadic */
	uint64_t deadline_ns;  /* relative to the release, of CBS to the wake-up; EDF and CBS */
	uint64_t slice_ns;     /* quantum, budget */
	uint64_t renewal_ns;   /* period of the budget */
	uint64_t release_ns;
	uint64_t period_ns; /* of the releases; 0: there is one */
	struct step step[MODEL_STEPS];
};

struct program {
	uint64_t seed;
	uint32_t cpus;
	uint32_t tasks;
	uint32_t locks;
	uint32_t home[MODEL_LOCKS];
	enum model_lock kind[MODEL_LOCKS];
	uint64_t quota_ns[MODEL_CPUS];
	uint64_t interval_ns[MODEL_CPUS];
	struct task_program task[MODEL_TASKS];
};

/* When each step ended (MODEL_NEVER: it was skipped), and whether the wait got its object. */
struct course {
	uint64_t ended_ns[MODEL_TASKS][MODEL_STEPS];
	bool locked[MODEL_TASKS][MODEL_STEPS];
	uint64_t over_ns; /* all have ended */
};

/* What follows from the programs by the rules. False: two independent events are too close to each
 * other to tell which comes first. */
bool model_foresee(const struct program *program, struct course *course);

#endif
