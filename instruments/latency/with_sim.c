/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program linked with the library on the virtual-time back end.
 */
#include "run.h"

bool run_built(enum latency_back_end back_end, enum latency_context context)
{
	(void)context;
	return back_end == LATENCY_BACK_END_SIM;
}
