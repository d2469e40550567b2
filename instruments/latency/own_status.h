/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What this program's own status segment says, read as any tool reads it.
 */
#ifndef LATENCY_OWN_STATUS_H
#define LATENCY_OWN_STATUS_H

#include <stdint.h>

/*
 * Nanoseconds that the real-time CPUs of this process have spun away since they were started.
 * Returns 0 when there is no segment. Context: linux.
 */
uint64_t own_status_spun_ns(void);

/* Who supplies the CPUs: enum tact_status_core; unknown when there is no segment. Context: linux.
 */
uint32_t own_status_back_end(void);

#endif
