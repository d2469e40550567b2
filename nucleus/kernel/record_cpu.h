/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a CPU holds for the files of `cpu`, a structure for each of them. */
#ifndef NUC_RECORD_CPU_H
#define NUC_RECORD_CPU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/message.h"

/* The shot that the back end has, and what it costs the running task: loop.c. */
struct nuc_shot {
	uint64_t ns;           /* its deadline */
	bool for_slice;        /* it is for the end of a slice, not for a timer */
	uint64_t turn_end_ns;  /* when the shot will interrupt current */
	uint64_t arming_ticks; /* what arming shots took since the last switch */
};

/* watchdog.c, own use, except the two counts that it reads. */
struct nuc_watch {
	_Atomic uint64_t heartbeat; /* grows with each switch and each idle turn */
	uint64_t seen;
	uint32_t rounds;
	_Atomic uint64_t idle_turns;
	uint64_t rebalance_seen;
	uint32_t rebalance_rounds;
	_Atomic uint32_t rebalance_kept; /* Linux priority of the task that keeps it; 0: none */
	struct nuc_message message;
	_Atomic uint32_t sent;
};

#endif
