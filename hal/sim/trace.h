/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The trace of the engine's decisions, and its hash. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "state.h"

int sim_trace_start(const char *path, char reason[HAL_REASON_BYTES]);
void sim_trace_record(const struct sim_entity *from, enum sim_point point,
		      const struct sim_entity *to);
void sim_trace_stop(void);

#endif
