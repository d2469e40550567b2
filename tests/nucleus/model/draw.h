/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TESTS_MODEL_DRAW_H
#define TESTS_MODEL_DRAW_H

#include "program.h"

struct model_kind {
	uint32_t cpus;
	uint32_t fifo_percent; /* of the tasks; the others have deadlines */
	bool timeouts;         /* of half the locks */
	bool ties;             /* of priorities, without deadlines */
	bool classes;          /* also classes with quanta and budgets; percent is ignored */
	bool kinds;            /* of locks, and ports */
	bool periodic;         /* tasks with deadlines, of some jobs each */
};

/* The program of this seed. */
void model_draw(struct program *program, const struct model_kind *kind, uint64_t seed);

#endif
