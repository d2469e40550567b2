/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program linked with the library on the thread back end. With the bare back end's in its place
 * (LD_LIBRARY_PATH) it measures that one.
 */
#include "run.h"

bool run_built(enum latency_core core, enum latency_context context)
{
	if (core == LATENCY_CORE_THREAD || core == LATENCY_CORE_BARE)
		return true;
	return core <= LATENCY_CORE_LINUX_SPIN && context == LATENCY_CONTEXT_TASK;
}
