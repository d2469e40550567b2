/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Events outside of a program, for the storm (storm.c). */
#ifndef TESTS_KMOD_STORM_WEATHER_H
#define TESTS_KMOD_STORM_WEATHER_H

#include <stdbool.h>
#include <sys/types.h>

#include "chance.h"

/* Called once for the machine. cpu: one of Linux's that may go offline and online; 0: none. */
void storm_weather_prepare(uint32_t cpu);
/* Does one thing to all processes, or to this one. */
void storm_weather_do(struct chance *chance, pid_t child);
/* Is nothing pinned any more? *data, a long, is the number of pages that are. */
bool storm_weather_is_calm(void *data);

#endif
