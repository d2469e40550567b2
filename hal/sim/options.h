/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The options of a simulation, as text. */
#ifndef SIM_OPTIONS_H
#define SIM_OPTIONS_H

#include "state.h"

void sim_options_default(struct sim_options *options);
int sim_options_parse(struct sim_options *options, const char *text, const char *source,
		      char reason[HAL_REASON_BYTES]);

#endif
