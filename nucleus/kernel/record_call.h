/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a CPU holds for `call`: the batches of ended waits. */
#ifndef NUC_RECORD_CALL_H
#define NUC_RECORD_CALL_H

#include <stdint.h>

#include "base/tree.h"

/* The most urgent batch first, and equal ones in the order in which they were made; then the same
 * by queue and round: batch.c. */
struct nuc_batches {
	struct base_tree by_urgency;
	struct base_tree by_round;
	uint64_t made;
};

#endif
