/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who runs the loop. Each returns 0, or says what is wrong and returns 1. */
#ifndef MAGLEV_BACK_ENDS_H
#define MAGLEV_BACK_ENDS_H

#include <stdint.h>
#include <stdio.h>

#include "ball.h"

struct result {
	struct loop loop;
	uint64_t overruns;        /* releases that were missed */
	uint64_t dropped_records; /* of the log: it was too slow */
	uint64_t log_switches;    /* and of the task that logs */
};

/* A periodic task of Tactus, and a slow one that writes the log. */
int run_tactus(uint32_t turns, FILE *log, struct result *result);

/* A Linux thread that sleeps in clock_nanosleep(); fifo: SCHED_FIFO, priority 80, where allowed. */
int run_linux(uint32_t turns, int fifo, FILE *log, struct result *result);

void log_turn(FILE *log, const struct turn *turn);

#endif
