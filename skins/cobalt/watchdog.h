/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How long a task may keep its CPU before it is told. */
#ifndef COBALT_WATCHDOG_H
#define COBALT_WATCHDOG_H

#include "cobalt_internal.h"

/* In seconds; 0: as long as it likes. */
uint32_t cobalt_watchdog_s(void);

#endif
