/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Settings of the machine, for the time that the program runs. */
#ifndef THREAD_SETTINGS_H
#define THREAD_SETTINGS_H

#include <stdint.h>

#include "hal/hal.h"

void thread_settings_start(const struct hal_config *config, const uint32_t linux_cpus[],
			   char reason[256]);
void thread_settings_stop(void);

#endif
