/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The result of a run on standard output, as JSON (docs/spec/measure.md) or for reading.
 */
#ifndef LATENCY_RESULT_H
#define LATENCY_RESULT_H

#include "run.h"

/* Returns 0, or -1 after one line on stderr (standard output could not be written). */
int result_print(const struct latency_run *run);

#endif
