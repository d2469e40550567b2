/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The part of the stop that a start uses, too, if it fails. */
#ifndef NUC_STOP_H
#define NUC_STOP_H

#include <stdint.h>

/* All real-time CPUs leave the nucleus, and the back end gives them back. Context: linux. */
void nuc_cpus_stop(uint32_t cpus);

#endif
