/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Loaded before libtactus in virtual time: the sampler loses the processor at the worst place.
 * LATENCY_LATE names the place: "handler": in a handler, before it reads the clock, once;
 * "handlers": each time; "start": before the first instant is set, once; "starts": each time;
 * "stopped": there, until the watchdog stops it.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <tactus/tact.h>

#define HANDLERS_BEFORE 1500 /* in the second window, where the period is 1 ms */

static bool is_late(const char *where)
{
	const char *wanted = getenv("LATENCY_LATE");

	return wanted && !strcmp(wanted, where);
}

tact_time_t tact_now(void)
{
	static tact_time_t (*real)(void);
	static int handlers;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "tact_now");
	if (tact_mode() == TACT_MODE_HANDLER &&
	    (is_late("handlers") || (handlers++ == HANDLERS_BEFORE && is_late("handler"))))
		tact_compute(1500000);
	return real();
}

int tact_task_set_periodic(tact_task_t task, tact_time_t first, uint64_t period_ns)
{
	static int (*real)(tact_task_t task, tact_time_t first, uint64_t period_ns);
	static bool was_late;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "tact_task_set_periodic");
	if (is_late("stopped"))
		tact_compute(20000000000);
	if (is_late("starts") || (is_late("start") && !was_late)) {
		was_late = true;
		(void)tact_task_sleep(2000000000);
	}
	return real(task, first, period_ns);
}
