/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The start of the program's real-time half, for a skin on top of this one. */
#ifndef POSIX_START_H
#define POSIX_START_H

#include <stdint.h>

/* How long a task may keep its CPU before it is notified (watchdog_signals of tact_config). Set it
 * before the start. */
extern uint32_t posix_watchdog_ms;

#endif
