/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Shots by the helper (helper.c): what is asked of it, by the dispatcher and by whoever kicks. */
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

/* armed_ns is the instant already (shot.c). */
void thread_helper_arm(struct thread_port *port, uint64_t instant_ns)
{
	uint64_t until_ns = atomic_load(&port->helper_until_ns);

	/* Nothing to hurry for: it sleeps until an earlier instant, or needs not wake at all. */
	if (instant_ns == HAL_NO_DEADLINE ||
	    (until_ns != HAL_NO_DEADLINE && instant_ns >= until_ns))
		return;
	thread_helper_call(port);
}

/*
 * A helper that sleeps on until a replaced shot would wake while the dispatcher spins towards its
 * deadline, and being above it take it past that. Idle there is time to tell it now.
 */
void thread_helper_settle(struct thread_port *port, uint64_t target_ns)
{
	uint64_t until_ns = atomic_load(&port->helper_until_ns);

	if (target_ns != HAL_NO_DEADLINE && until_ns < target_ns && target_ns - until_ns < NEAR_NS)
		thread_helper_call(port);
}
