/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Programs of tasks that compute and lock, and what a reference scheduler makes of them. All times
 * are nanoseconds since the programs' start.
 */
#ifndef TESTS_MODEL_LOCKS_H
#define TESTS_MODEL_LOCKS_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_CPUS  4
#define MODEL_TASKS 10
#define MODEL_LOCKS 5
#define MODEL_STEPS 24
#define MODEL_NEVER UINT64_MAX

/* Nothing independent may happen within this of something else: what a call, a switch and a
 * message take in virtual time is less. */
#define MODEL_GUARD_NS 2000u

enum step_kind { STEP_COMPUTE, STEP_LOCK, STEP_UNLOCK, STEP_END };

struct step {
	enum step_kind kind;
	uint32_t lock;
	uint64_t ns;       /* COMPUTE: how long; LOCK: the timeout, or MODEL_NEVER */
	uint32_t on_error; /* LOCK that timed out: the step to go on with */
};

struct task_program {
	uint32_t cpu;
	uint32_t priority;
	uint64_t deadline_ns; /* relative to the release; MODEL_NEVER: of class FIFO */
	uint64_t release_ns;
	struct step step[MODEL_STEPS];
};

struct program {
	uint64_t seed;
	uint32_t cpus;
	uint32_t tasks;
	uint32_t locks;
	uint32_t home[MODEL_LOCKS];
	struct task_program task[MODEL_TASKS];
};

/* When each step ended, MODEL_NEVER: it was passed over; and whether a lock was had. */
struct course {
	uint64_t ended_ns[MODEL_TASKS][MODEL_STEPS];
	bool locked[MODEL_TASKS][MODEL_STEPS];
};

/* What follows from the programs by the rules. False: two independent events are too close to each
 * other to tell which comes first. */
bool model_foresee(const struct program *program, struct course *course);

#endif
