/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program, as Linux's side of it sees it: what hal_start() was asked for, what Linux gave, and
 * its real-time CPUs. hal/thread and hal/bare share this folder; what differs between them is in
 * back_end.h.
 */
#ifndef LINUX_PROGRAM_H
#define LINUX_PROGRAM_H

#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hal/hal.h"
#include "options.h"
#include "port.h"

/* The C library's own signals: cancellation, and set*id() across threads. */
#define LINUX_SIGNAL_CANCEL 32
#define LINUX_SIGNAL_SETXID 33

#define LINUX_BIT(signal)  (1ull << ((signal)-1))
#define LINUX_PRIORITY     80u
#define LINUX_PRIORITY_MAX 97u /* two more are for the helper and the housekeeper */

/* One program is one of these. Constant between hal_start() and hal_stop() unless atomic. */
struct linux_program {
	unsigned cpu_count;
	/* The real-time CPUs that are Linux's own, as the thread back end's are; 0 and none where
	 * they were taken from Linux: neither do signals come to those, nor can Linux run threads
	 * there. */
	unsigned port_count;
	struct linux_port *ports[HAL_MAX_CPUS];
	struct linux_options options;
	enum hal_idle idle;
	unsigned priority;
	unsigned shadow_priority_max;   /* above the CPUs' where Linux allows it */
	bool fifo;                      /* Linux gave us SCHED_FIFO */
	_Atomic bool may_raise;         /* and lets priorities rise yet: see linux_may_raise() */
	_Atomic uint32_t rights_change; /* so many threads are about to look at that */
	bool may_follow;                /* a CPU may have the running task's Linux priority */
	cpu_set_t other_cpus;           /* where shadows and the housekeeper live */
	bool other_cpus_differ;
	int pid;
	_Atomic bool is_storm; /* signal_storm.c: signals wake too many that watch for theirs; */
	_Atomic bool storm_begins; /* those that sleep are to be told of it */
	_Atomic uint32_t asleep;   /* shadows that sleep */
	bool holds;                /* leases, CPUs, pages: what a fork's child may not have */
	_Atomic bool forked;       /* this is a fork's child: no real-time CPUs here */
	char name[32];
};
extern struct linux_program linux_program;

/*
 * How hal_start() begins: what it refuses at once, and linux_program as asked for. parse: the
 * back end's options. Returns 0, or -TACT_Exxx with the reason.
 */
int linux_program_begin(const struct hal_config *config, bool running,
			int (*parse)(const char *text, struct linux_options *options,
				     char reason[256]),
			char reason[256]);

#endif
