/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of the program's real-time half, for a skin that stands on this one. */
#ifndef POSIX_START_H
#define POSIX_START_H

#include <stdint.h>

/* How long a task may keep its CPU before it is told so (tact_config's watchdog_signals): set
 * before the start. */
extern uint32_t posix_watchdog_ms;

#endif
