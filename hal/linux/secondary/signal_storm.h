/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals that wake too many of the shadows that watch for signals. */
#ifndef SECONDARY_SIGNAL_STORM_H
#define SECONDARY_SIGNAL_STORM_H

#include "port.h"

/* Linux has sent one more signal to this thread, which runs the port's CPU. Context: any, also in
 * the signal's handler. */
void signal_storm_count(struct linux_port *port);
/* In each round of the housekeeper; and whenever it was woken. */
void signal_storm_round(void);
void signal_storm_notify(void);

#endif
