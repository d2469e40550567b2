/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Programs run for the tests of the model: one at a time, on the nucleus. */
#ifndef TESTS_MODEL_LIVE_H
#define TESTS_MODEL_LIVE_H

#include "program.h"

/* Until all its tasks have ended, which is foreseen for over_ns. Context: linux. */
void model_live(const struct program *program, uint64_t over_ns, struct course *course);

#endif
