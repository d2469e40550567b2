/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The program, as its Linux side sees it: what hal_start() was asked for, what Linux gave, and the
 * real-time CPUs. hal/thread and hal/bare share this folder; back_end.h has what differs between
 * them.
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

/* The program. Constant between hal_start() and hal_stop() unless atomic. */
struct linux_program {
	unsigned cpu_count;
	/* The real-time CPUs that Linux still has, as on the thread back end. 0 and none if
	 * they were taken from Linux: no signals come to such CPUs, and Linux cannot run
	 * threads there. */
	unsigned port_count;
	struct linux_port *ports[HAL_MAX_CPUS];
	struct linux_options options;
	enum hal_idle idle;
	unsigned priority;
	unsigned shadow_priority_max;   /* above that of the CPUs if Linux allows it */
	bool fifo;                      /* Linux allows SCHED_FIFO */
	_Atomic bool may_raise;         /* and still lets priorities rise: see linux_may_raise() */
	_Atomic uint32_t rights_change; /* this many threads are about to check that */
	bool may_follow;                /* a CPU may have the Linux priority of the running task */
	cpu_set_t other_cpus;           /* the CPUs of shadows and of the housekeeper */
	bool other_cpus_differ;
	int pid;
	_Atomic bool is_storm;     /* signal_storm.c: each signal wakes too many shadows; */
	_Atomic bool storm_begins; /* the sleeping shadows have yet to be told */
	_Atomic uint32_t asleep;   /* shadows that sleep */
	bool holds;          /* it has what a fork's child may not have: leases, CPUs, pages */
	_Atomic bool forked; /* this is a fork's child: no real-time CPUs here */
	char name[32];
};
extern struct linux_program linux_program;

/*
 * How hal_start() begins: refuse at once what can be refused, and fill linux_program. parse: reads
 * the options of the back end. Returns 0, or -TACT_Exxx with the reason.
 */
int linux_program_begin(const struct hal_config *config, bool running,
			int (*parse)(const char *text, struct linux_options *options,
				     char reason[HAL_REASON_BYTES]),
			char reason[HAL_REASON_BYTES]);

#endif
