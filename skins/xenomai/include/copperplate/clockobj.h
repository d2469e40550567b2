/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clock that programs of Xenomai read: nanoseconds of CLOCK_MONOTONIC. Xenomai 3.1 and earlier
 * releases have a counter of the processor; in Tactus this counter also counts nanoseconds.
 *
 * Context: any. Source: Xenomai 3, <copperplate/clockobj.h>, as its test programs use it.
 */
#ifndef COPPERPLATE_CLOCKOBJ_H
#define COPPERPLATE_CLOCKOBJ_H

#include <pthread.h>
#include <stdio.h>

#include <boilerplate/list.h>
#include <boilerplate/time.h>

/* The clock of the instants that services take. */
#define CLOCK_COPPERPLATE CLOCK_MONOTONIC

#ifdef __USE_POSIX199309
static inline ticks_t clockobj_get_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (ticks_t)timespec_scalar(&now);
}

static inline ticks_t clockobj_get_tsc(void)
{
	return clockobj_get_ns();
}
#endif

static inline sticks_t clockobj_tsc_to_ns(sticks_t tsc)
{
	return tsc;
}

static inline sticks_t clockobj_ns_to_tsc(sticks_t ns)
{
	return ns;
}

#endif
