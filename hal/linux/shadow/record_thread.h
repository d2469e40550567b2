/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a shadow holds for hal/thread, the back end on which calls trap. */
#ifndef SHADOW_RECORD_THREAD_H
#define SHADOW_RECORD_THREAD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of an attached thread whose task was stopped: thread/trap.c. */
struct shadow_trap {
	_Atomic bool traps; /* its calls trap */
	bool doomed; /* they trapped: mask is kept for its end; its own thread writes it, and */
	uint64_t doomed_mask; /* the signals that are blocked until then */
};

#endif
