/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Clocks beyond those of POSIX. CLOCK_HOST_REALTIME is the wall clock of Linux, which is also
 * CLOCK_REALTIME in Tactus; clock_gettime() and clock_getres() know it. Extension clocks (64 to
 * 127) are those of drivers in Xenomai's kernel. Tactus has none, and a call that names one gets
 * EINVAL.
 */
#ifndef COBALT_UAPI_TIME_H
#define COBALT_UAPI_TIME_H

#define __COBALT_CLOCK_STATIC(nr) ((clockid_t)((nr) + 32))
#define CLOCK_HOST_REALTIME       __COBALT_CLOCK_STATIC(0)

#define COBALT_MAX_EXTCLOCKS         64
#define __COBALT_CLOCK_EXT(nr)       ((clockid_t)(nr) | (1 << 6))
#define __COBALT_CLOCK_EXT_P(id)     ((int)(id) >= 64 && (int)(id) < 128)
#define __COBALT_CLOCK_EXT_INDEX(id) ((int)(id) & ~(1 << 6))

#endif
