/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The thread that does what no real-time CPU should do; rounds.c lists this work. */
#ifndef SECONDARY_HOUSEKEEPER_H
#define SECONDARY_HOUSEKEEPER_H

#include <stdbool.h>
#include <stdint.h>

struct linux_rounds {
	void (*round)(void);       /* each HAL_WATCH_PERIOD_NS */
	void (*woken)(void);       /* after linux_housekeeper_wake(), and before the end */
	bool (*drain)(bool waits); /* write what was printed; false: there was no room for all */
};

/* rounds.c: the work of all parts. */
extern const struct linux_rounds linux_rounds;

/* all_rounds: constant until linux_housekeeper_stop(). Returns 0 or -TACT_ENOMEM. */
int linux_housekeeper_start(const struct linux_rounds *all_rounds);
void linux_housekeeper_raise(void); /* to real-time priority */
void linux_housekeeper_stop(void);
/* Context: any, also a signal's handler. */
void linux_housekeeper_wake(void);
void linux_housekeeper_invite(uint64_t now_ns); /* called by a CPU that the housekeeper uses, too */

#endif
