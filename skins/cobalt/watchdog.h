/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a task may keep its CPU before the signal. */
#ifndef COBALT_WATCHDOG_H
#define COBALT_WATCHDOG_H

#include "cobalt_internal.h"

/* In seconds; 0: without limit. */
uint32_t cobalt_watchdog_s(void);

#endif
