/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which Linux CPUs are the real-time CPUs. */
#ifndef LINUX_CPU_SELECT_H
#define LINUX_CPU_SELECT_H

#include <sched.h>
#include <stdint.h>

#include "hal/hal.h"

/* Takes their leases. Returns 0, or -TACT_Exxx with the reason. */
int linux_cpus_select(const struct hal_config *config, uint32_t linux_cpus[],
		      char reason[HAL_REASON_BYTES]);
/* Adds the CPUs of one of Linux's lists (2,4-7). Adds none if there is no such file. */
void linux_cpus_read(const char *path, cpu_set_t *set);

#endif
