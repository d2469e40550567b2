/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The watchdog: a task that keeps a real-time CPU without ever letting go is stopped and reported.
 */
#ifndef NUC_WATCHDOG_H
#define NUC_WATCHDOG_H

#include <tactus/start.h>

#define NUC_WATCH_PACE_MS 100 /* between two nuc_upcall_watch() */

/* Its members for the watchdog, with no defaults left in them. */
void nuc_watchdog_init(const struct tact_config *config);

#endif
