/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Storms of signals. With each signal that is sent to any thread of the program, Linux wakes every
 * thread that watches a signalfd, because all threads of a program have one queue of such watchers.
 * The woken thread checks whether the signal is its own. Each shot and each kick is such a signal,
 * and each Linux call of a task in primary mode (SIGSYS). Measured: some 2 µs on the real-time CPU
 * for each parked shadow that sleeps. With 17 of them, and a task that sleeps 50 µs at a time above
 * another one that computes, that CPU did nothing else. With 800, each new task cost a millisecond.
 *
 * So if this takes too much of the time, shadows do not watch any longer. Each then looks every 10
 * ms, or more rarely if the looks of all would otherwise take too much.
 */
#define _GNU_SOURCE
#include "secondary/signal_storm.h"

#include "port.h"
#include "program.h"
#include "secondary/housekeeper.h"
#include "shadow/lock.h"
#include "shadow/parked.h"
#include "shadow/record.h"

#define WAKES_MOST   10000u /* in a round: some 20 of its 100 ms */
#define QUIET_ROUNDS 10u

static uint64_t wakes_of(const struct linux_port *port)
{
	const uint64_t signals = atomic_load_explicit(&port->signals, memory_order_relaxed) -
				 atomic_load_explicit(&port->signals_seen, memory_order_relaxed);

	return signals * atomic_load_explicit(&linux_program.asleep, memory_order_relaxed);
}

/* If each signal costs a millisecond, a round comes too late: so each signal checks the number of
 * wakes. */
void signal_storm_count(struct linux_port *port)
{
	atomic_store_explicit(&port->signals,
			      atomic_load_explicit(&port->signals, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	if (__builtin_expect(wakes_of(port) < WAKES_MOST, 1) ||
	    atomic_load_explicit(&linux_program.is_storm, memory_order_relaxed) ||
	    atomic_exchange(&linux_program.is_storm, true))
		return;
	atomic_store(&linux_program.storm_begins, true);
	linux_housekeeper_wake();
}

static uint64_t wakes_since(void)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < linux_program.port_count; i++) {
		struct linux_port *port = linux_program.ports[i];

		sum += wakes_of(port);
		atomic_store_explicit(&port->signals_seen,
				      atomic_load_explicit(&port->signals, memory_order_relaxed),
				      memory_order_relaxed);
	}
	return sum;
}

/* A shadow that is not told only goes on watching. Context: the housekeeper. */
void signal_storm_notify(void)
{
	if (!atomic_exchange(&linux_program.storm_begins, false))
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!shadow_lock_try())
			continue;
		if (atomic_load(&shadow->park.asleep))
			shadow_notify_storm(shadow);
		shadow_lock_release();
	}
}

/* The storm ends when the wakes have been less than half of the limit for a while. So it does not
 * begin and end all the time: at each begin, the first signals wake all shadows. */
void signal_storm_round(void)
{
	static unsigned quiet_rounds;
	const bool was = atomic_load(&linux_program.is_storm);
	const uint64_t wakes = wakes_since();

	quiet_rounds = was && wakes < WAKES_MOST / 2 ? quiet_rounds + 1 : 0;
	if (was ? quiet_rounds < QUIET_ROUNDS : wakes < WAKES_MOST)
		return;
	/* Dekker: with sleep_for_context(). A shadow that looks sees by itself that it may watch
	 * again. */
	atomic_store(&linux_program.is_storm, !was);
	atomic_store(&linux_program.storm_begins, !was);
	signal_storm_notify();
}
