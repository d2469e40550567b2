/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a thread holds for a skin on top of this one: what that wants otherwise. */
#ifndef POSIX_RECORD_SKIN_H
#define POSIX_RECORD_SKIN_H

#include <stdbool.h>
#include <stdint.h>

/* Written by that skin alone, in its own thread. */
struct posix_thread_skin {
	/* If the task must not wait now, it calls this instead, and the wait ends as by a signal.
	 * NULL: it may wait. */
	void (*waits_not)(void);
	/* Its calls by syscall() go to Linux, because it wants to be told of its mode switches. */
	bool queries_linux;
	uint64_t signals_end; /* those that end its waits even with SA_RESTART, a bit for each */
};

#endif
