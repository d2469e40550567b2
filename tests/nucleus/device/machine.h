/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The simulated machine of these tests: one device, with memory and two lines. */
#ifndef TESTS_DEVICE_MACHINE_H
#define TESTS_DEVICE_MACHINE_H

#include "test.h"

#include <hal/sim.h>

#define DEVICE "0000:00:04.0"
#define PAGE   4096u

extern uint64_t machine_bar[2 * PAGE / 8];

/* The machine has the device, with these changes. */
void machine_make(const struct hal_sim_device *change);
/* The program also has it. */
tact_device_t machine_open(void);

#endif
