/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a thread holds for `sync`: the mutexes that it has locked as a task. */
#ifndef POSIX_RECORD_SYNC_H
#define POSIX_RECORD_SYNC_H

#include <stdint.h>

struct posix_thread_locks {
	int ceiling;     /* the highest one of those that it has locked now; or 0: ceiling.c */
	uint32_t locked; /* how many times it has locked one: mutex.c; own use */
};

#endif
