/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Time of day: that of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <sys/time.h>

#ifndef COBALT_SYS_TIME_H
#define COBALT_SYS_TIME_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __USE_GNU
COBALT_SAME(gettimeofday);
#endif

#ifdef __cplusplus
}
#endif

#endif
