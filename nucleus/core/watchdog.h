/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The watchdog: a task that keeps a real-time CPU without ever letting go is stopped and reported.
 */
#ifndef NUC_WATCHDOG_H
#define NUC_WATCHDOG_H

#include <stdint.h>

#define NUC_WATCH_PACE_MS 100 /* between two nuc_upcall_watch() */

/* limit_ms: UINT32_MAX switches it off. crowd_ms: as in struct tact_config. */
void nuc_watchdog_init(uint32_t limit_ms, uint32_t crowd_ms);

#endif
