/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The timers of POSIX are the C library's. */
#ifndef VXWORKS_TIMERS_H
#define VXWORKS_TIMERS_H

#include <time.h>

#include <vxWorks.h>

#endif
