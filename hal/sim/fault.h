/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Faults of the host thread, and the watchdog that names a stuck loop. */
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include <stdint.h>

int sim_fault_start(uint32_t watchdog_s);
void sim_fault_stop(void);

#endif
