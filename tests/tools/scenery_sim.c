/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A Linux call of the simulation. */
#include "scenery.h"

#include "hal/sim.h"

void scenery_sleep_in_linux(void)
{
	(void)hal_sim_linux_call(35, 1000000000000ull);
	__asm__ volatile("");
}
