/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The watchdog: a task that keeps its real-time CPU too long is reported, and is stopped or sent to
 * secondary mode. It also demotes a task that keeps a CPU while others wait. */
#ifndef NUC_WATCHDOG_H
#define NUC_WATCHDOG_H

#include <tactus/start.h>

#define NUC_WATCH_PACE_MS 100 /* between two nuc_upcall_watch() */

/* Take the members for the watchdog from a configuration whose defaults are filled in. */
void nuc_watchdog_init(const struct tact_config *config);

#endif
