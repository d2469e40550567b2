/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a thread holds for `calls`, to which calls/call.h has the functions. */
#ifndef POSIX_RECORD_CALLS_H
#define POSIX_RECORD_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/* How many signal handlers have run in a thread, and how many of these were without SA_RESTART. */
struct posix_handlers_count {
	uint64_t run, ending;
};

/* Own use, also of the handlers that interrupt a call: signal/handlers.c, signal/actions.c. */
struct posix_thread_call {
	struct posix_handlers_count handlers; /* now, */
	struct posix_handlers_count began;    /* and when the present call began */
	uint64_t handled; /* signals whose handlers have run in it, a bit for each */
	/* Of the handlers that interrupted it last. */
	bool signals_restart, signals_taken;
};

#endif
