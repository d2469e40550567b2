/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Timers as files: those of POSIX, with the names of Xenomai's conventions (cobalt/wrappers.h). */
#pragma GCC system_header
#include_next <sys/timerfd.h>

#ifndef COBALT_SYS_TIMERFD_H
#define COBALT_SYS_TIMERFD_H

#include <cobalt/wrappers.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flag of timerfd_settime(): when the timer expires, the wait in which the caller then is ends with
 * EINTR. */
#ifndef TFD_WAKEUP
#define TFD_WAKEUP (1 << 2)
#endif

#ifdef __USE_GNU
COBALT_SAME(timerfd_create);
COBALT_SAME(timerfd_gettime);
COBALT_SAME(timerfd_settime);
#endif

#ifdef __cplusplus
}
#endif

#endif
