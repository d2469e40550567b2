/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shots by the helper (helper.c): the requests to it, by the dispatcher and by kickers. */
#define _GNU_SOURCE

#include <pthread.h>

#include "call.h"
#include "shot.h"
#include "thread.h"

#define NEAR_NS 100000u /* generously: a wake-up, and what is spun before a deadline */

void thread_helper_call(struct thread_port *port)
{
	atomic_fetch_add(&port->helper_word, 1);
	call_futex_wake(&port->helper_word, 1);
}

void thread_helper_move(struct thread_port *port, const cpu_set_t *cpus)
{
	if (port->helper_runs)
		(void)pthread_setaffinity_np(port->helper, sizeof(*cpus), cpus);
}

/* armed_ns is set to the instant already (shot.c). */
void thread_helper_arm(struct thread_port *port, uint64_t instant_ns)
{
	uint64_t until_ns = atomic_load(&port->helper_until_ns);

	/* No wake-up is needed: the helper sleeps until an earlier instant, or no shot is armed. */
	if (instant_ns == HAL_NO_DEADLINE ||
	    (until_ns != HAL_NO_DEADLINE && instant_ns >= until_ns))
		return;
	thread_helper_call(port);
}

/*
 * A helper that sleeps until a replaced shot would wake while the dispatcher spins before its
 * deadline. It is above the dispatcher, and would delay it beyond that. While the CPU is idle there
 * is time to call the helper.
 */
void thread_helper_settle(struct thread_port *port, uint64_t target_ns)
{
	uint64_t until_ns = atomic_load(&port->helper_until_ns);

	if (target_ns != HAL_NO_DEADLINE && until_ns < target_ns && target_ns - until_ns < NEAR_NS)
		thread_helper_call(port);
}
