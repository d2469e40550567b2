/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Signals that wake too many shadows that watch for theirs. */
#ifndef SECONDARY_SIGNAL_STORM_H
#define SECONDARY_SIGNAL_STORM_H

#include "port.h"

/* One more signal that Linux has sent to this thread, which runs the port's CPU. Context: any, also
 * in the signal's handler. */
void signal_storm_count(struct linux_port *port);
/* One round of the housekeeper, and whenever it was woken. */
void signal_storm_round(void);
void signal_storm_notify(void);

#endif
