/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the record of a thread holds for `park`: by what the thread waits, and how. */
#ifndef POSIX_RECORD_PARK_H
#define POSIX_RECORD_PARK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <tactus/sem.h>

struct posix_thread_wait {
	tact_sem_t parking;     /* at which it waits: wait.h */
	uint32_t waiter;        /* the number of its waiter: waiter.h */
	bool has_waiter;        /* it has one */
	_Atomic bool is_native; /* it waits in the nucleus, or is about to: see wait.h */
	/* How many waits by its waiter are nested: more than one if a handler waits. */
	uint32_t nested;
	uint64_t breaks; /* the wait that handlers of signals end, or 0: wait_sleep.c */
};

#endif
