/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* For tools of the native API: what the options of every program mean for the nucleus. */
#ifndef ALCHEMY_TOOLS_NUCLEUS_H
#define ALCHEMY_TOOLS_NUCLEUS_H

#include <stdbool.h>

#include <tactus/start.h>

/* Was --quiet, --silent or --verbose=0 among them? */
bool nucleus_is_quiet(void);
/* Start it as they said; cpu: in place of the CPUs that they name, or -1. notice: receives what the
 * machine could not give, "" if nothing. 0, or -1 with a complaint. */
int nucleus_start(const char *name, int cpu, char notice[TACT_REASON_BYTES]);

#endif
