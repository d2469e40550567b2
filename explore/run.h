/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Runs: a scenario with a seed in a child process, so that no end of one loses another.
 */
#ifndef EXPLORE_RUN_H
#define EXPLORE_RUN_H

#include "explore/scenario.h"

#define RUN_JOBS_MAX      64u
#define RUN_MESSAGE_BYTES 1200u

struct run {
	const struct explore_scenario *scenario;
	uint64_t seed;
};

struct run_result {
	struct run run;
	bool passed;
	uint64_t hash;
	char message[RUN_MESSAGE_BYTES]; /* why it did not pass; one line */
};

/* Scenarios in order of their names. */
const struct explore_scenario *run_scenarios(void);
const struct explore_scenario *run_scenario(const char *name);

/* Prepare for that many runs at once. 0 or -1 with errno. */
int run_open(uint32_t jobs);
/* Start one; there must be room. 0 or -1 with errno. */
int run_start(const struct run *run);
/* Wait for one to end. False: none was under way. */
bool run_await(struct run_result *result);

/* The text that a failing run leaves behind, of RUN_MESSAGE_BYTES. Context: child. */
char *run_message(void);

/* body.c: the run itself, in the child. Returns the hash of its schedule. */
uint64_t run_body(const struct run *run);

#endif
