/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This program's own status segment, read like any tool reads it. */
#ifndef LATENCY_OWN_STATUS_H
#define LATENCY_OWN_STATUS_H

#include <stdint.h>

/* Nanoseconds that the real-time CPUs of this process have spun since their start. Returns 0 if
 * there is no segment. Context: linux. */
uint64_t own_status_spun_ns(void);

/* The back end that supplies the CPUs: enum tact_status_core; unknown if there is no segment.
 * Context: linux. */
uint32_t own_status_back_end(void);

#endif
