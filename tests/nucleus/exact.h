/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Can instants be asserted? In virtual time, unless a seed perturbs what everything costs. */
#ifndef TESTS_NUCLEUS_EXACT_H
#define TESTS_NUCLEUS_EXACT_H

#include "test.h"

#include <stdlib.h>

static inline bool test_exact(void)
{
	const char *sim = getenv("TACTUS_SIM");

	return test_on_sim() && !(sim && strstr(sim, "seed="));
}

#endif
