/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a shadow holds for the files of `secondary`, a structure for each of them. */
#ifndef SHADOW_RECORD_SECONDARY_H
#define SHADOW_RECORD_SECONDARY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Its Linux priority: priority.c. */
struct shadow_priority {
	_Atomic uint32_t given;       /* requested for its task here; rebalance.c may lower it */
	_Atomic uint32_t linux_level; /* what Linux was told last */
	_Atomic bool stands_back;     /* not above its task, although parked */
};

/* Whether Linux lets it run: cpu_borrow.c. */
struct shadow_borrow {
	uint32_t still_rounds; /* for how many it was here and did not run: rebalance.c */
	uint32_t rounds;       /* for how many more it may use the real-time CPUs */
	bool borrowed;         /* that has changed its affinity */
};

/* How much it computes: rebalance.c. */
struct shadow_balance {
	uint32_t stay_seen;       /* `stay` as the housekeeper read it in its last round, */
	uint64_t ran_ns;          /* with the thread's processor time */
	_Atomic uint64_t took_ns; /* time of a CPU that it took in the last round */
};

#endif
