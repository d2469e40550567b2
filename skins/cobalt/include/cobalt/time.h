/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clocks and timers: those of POSIX, with the names of Xenomai's conventions
 * (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <time.h>

#ifndef COBALT_TIME_H
#define COBALT_TIME_H

#include <cobalt/uapi/time.h>
#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(clock_adjtime);
COBALT_SAME(clock_getres);
COBALT_SAME(clock_gettime);
COBALT_SAME(clock_nanosleep);
COBALT_SAME(clock_settime);
COBALT_SAME(nanosleep);
COBALT_SAME(time);
COBALT_SAME(timer_create);
COBALT_SAME(timer_delete);
COBALT_SAME(timer_getoverrun);
COBALT_SAME(timer_gettime);
COBALT_SAME(timer_settime);
#endif

#ifdef __cplusplus
}
#endif

#endif
