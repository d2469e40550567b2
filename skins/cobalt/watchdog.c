/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The watchdog as Cobalt has it: a task that has kept its CPU for some seconds gets
 * SIGDEBUG_WATCHDOG, and is in secondary mode until its next service. Source: Xenomai 3,
 * CONFIG_XENO_OPT_WATCHDOG.
 */
#include "watchdog.h"

#include <stdlib.h>

#define USUAL_S 4u
#define MOST_S  3600u

static uint32_t seconds = USUAL_S;

uint32_t cobalt_watchdog_s(void)
{
	return seconds;
}

__attribute__((constructor)) static void take(void)
{
	const char *text = getenv("TACTUS_RUN_WATCHDOG");
	unsigned long asked = USUAL_S;
	char *rest;

	if (text && *text) {
		asked = strtoul(text, &rest, 10);
		if (*rest || *text == '-' || asked > MOST_S) {
			posix_say("TACTUS_RUN_WATCHDOG is refused: give a number of seconds, 0 (no "
				  "watchdog) to 3600");
			asked = USUAL_S;
		}
	}
	seconds = (uint32_t)asked;
	posix_watchdog_ms = seconds ? seconds * 1000 : UINT32_MAX;
}
