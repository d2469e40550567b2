/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a CPU holds for files of this folder, a structure for each of them. */
#ifndef NUC_RECORD_KERNEL_H
#define NUC_RECORD_KERNEL_H

#include <stdint.h>

/* The timers that fire now, and those that had to wait: timer.c. */
struct nuc_expiry {
	uint64_t looked_ns; /* when the timers were last looked through */
	uint64_t looked_ticks;
	uint64_t skipped_ns;  /* the earliest timer that has no shot; see nuc_timer_catch_up() */
	uint64_t rest_ns;     /* timers that a full batch left wait until this instant */
	uint64_t earliest_ns; /* when what fires now is due, if that is still to come; 0: it is not
			       */
	uint64_t due_ns;      /* when what fires now was due, however late it fires; 0: now */
};

/* idle_lead.c. */
struct nuc_idle_lead {
	uint32_t ns;        /* how much earlier timers fire on an idle CPU, as learned */
	uint64_t end_ticks; /* when the idle time ended, until a hold is reached; 0: one was */
};

#endif
