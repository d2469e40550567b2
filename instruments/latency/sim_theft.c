/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Loaded before libtactus in virtual time: once in a run, everything that is measured loses the CPU
 * for 4.5 ms. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>

#include <tactus/tact.h>

/* After the start, with the first release 50 ms later. */
#define THEFT_AT_NS 200000000
#define THEFT_NS    4500000

static void steal(void *unused)
{
	(void)unused;
	tact_compute(THEFT_NS);
}

int tact_start(const struct tact_config *config, char reason[TACT_REASON_BYTES])
{
	int (*real)(const struct tact_config *config, char *reason);
	tact_timer_t timer;
	int error;

	*(void **)&real = dlsym(RTLD_NEXT, "tact_start");
	error = real(config, reason);
	if (!error)
		error = tact_timer_create(NULL, steal, NULL, 0, &timer);
	return error ? error : tact_timer_start(timer, tact_in(THEFT_AT_NS), 0);
}
