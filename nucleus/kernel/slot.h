/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A place for the figures of a task in the status segment. */
#ifndef NUC_SLOT_H
#define NUC_SLOT_H

#include "base/list.h"
#include "abi/status.h"

/* A task has no slot while the segment is full: its figures are then in its control block. */
struct nuc_slot {
	struct base_list link; /* in nuc_cpu.slots while free */
	struct tact_status_task *status;
	uint32_t index;
};

#endif
