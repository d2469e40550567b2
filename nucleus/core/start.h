/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start and stop, as each sees the other. */
#ifndef NUC_START_H
#define NUC_START_H

#include <stdbool.h>
#include <stdint.h>

/* Written by tact_start() and tact_stop(). */
extern bool nuc_started;

/* All real-time CPUs leave the nucleus, and the back end gives them back. Context: linux. */
void nuc_cpus_stop(uint32_t cpus);

#endif
