/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The program linked with the library on the thread back end. With the bare back end's library in
 * its place (LD_LIBRARY_PATH), it measures that one. */
#include "run.h"

bool run_built(enum latency_back_end back_end, enum latency_context context)
{
	if (back_end == LATENCY_BACK_END_THREAD || back_end == LATENCY_BACK_END_BARE)
		return true;
	return back_end <= LATENCY_BACK_END_LINUX_SPIN && context == LATENCY_CONTEXT_TASK;
}
