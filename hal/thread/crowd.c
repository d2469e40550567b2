/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals that wake a crowd. Who watches a signalfd is woken by Linux with each signal that is sent
 * to any thread of the program, and looks whether it is for him: the threads of a program have one
 * queue of such watchers. Each shot and each kick is such a signal, and each Linux call of a task
 * in primary mode, which comes back as SIGSYS. Seen: some 2 us for each parked shadow that sleeps,
 * on the real-time CPU; with 17 of them, and a task that sleeps 50 us at a time above another one
 * that computes, nothing else was done there; with 800 each task that was made cost a millisecond.
 *
 * So where that takes a share of the time, shadows watch no longer, and look now and then: each 10
 * ms, or as seldom as keeps all looks of all of them to a share of the time, too.
 */
#define _GNU_SOURCE
#include "thread.h"

#include "shadow.h"

#define WAKES_MOST   10000u /* a round: some 20 of its 100 ms */
#define QUIET_ROUNDS 10u
#define LOOK_MS      10u
#define LOOKS_OF_ALL 8u /* a millisecond: some 8 us each */

static uint64_t wakes_of(const struct thread_port *port)
{
	const uint64_t signals = atomic_load_explicit(&port->signals, memory_order_relaxed) -
				 atomic_load_explicit(&port->signals_seen, memory_order_relaxed);

	return signals * atomic_load_explicit(&thread_program.asleep, memory_order_relaxed);
}

/* A round is long where each signal costs a millisecond: the first ones tell. */
void thread_crowd_count(struct thread_port *port)
{
	atomic_store_explicit(&port->signals,
			      atomic_load_explicit(&port->signals, memory_order_relaxed) + 1,
			      memory_order_relaxed);
	if (__builtin_expect(wakes_of(port) < WAKES_MOST, 1) ||
	    atomic_load_explicit(&thread_program.is_crowd, memory_order_relaxed) ||
	    atomic_exchange(&thread_program.is_crowd, true))
		return;
	atomic_store(&thread_program.crowd_comes, true);
	thread_housekeeper_wake();
}

static uint64_t wakes_since(void)
{
	uint64_t sum = 0;

	if (!thread_program.ports)
		return 0; /* a core's events are no signals */
	for (unsigned i = 0; i < thread_program.cpu_count; i++) {
		struct thread_port *port = &thread_program.ports[i];

		sum += wakes_of(port);
		atomic_store_explicit(&port->signals_seen,
				      atomic_load_explicit(&port->signals, memory_order_relaxed),
				      memory_order_relaxed);
	}
	return sum;
}

/* One that is not told goes on watching, that is all. Context: the housekeeper. */
void thread_crowd_tell(void)
{
	if (!atomic_exchange(&thread_program.crowd_comes, false))
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!shadow_keeper_begins())
			continue;
		if (atomic_load(&shadow->asleep))
			shadow_tell_of_crowd(shadow);
		shadow_keeper_ends();
	}
}

/* Back where it has been less than half of it for a while, so that it does not go to and fro: each
 * time the first signals wake all. */
void thread_crowd_watch(void)
{
	static unsigned quiet_rounds;
	const bool was = atomic_load(&thread_program.is_crowd);
	const uint64_t wakes = wakes_since();

	quiet_rounds = was && wakes < WAKES_MOST / 2 ? quiet_rounds + 1 : 0;
	if (was ? quiet_rounds < QUIET_ROUNDS : wakes < WAKES_MOST)
		return;
	/* Dekker: with watches(). Who looks sees by itself that it may watch again. */
	atomic_store(&thread_program.is_crowd, !was);
	atomic_store(&thread_program.crowd_comes, !was);
	thread_crowd_tell();
}

unsigned shadow_look_ms(void)
{
	const unsigned all = atomic_load_explicit(&thread_program.asleep, memory_order_relaxed);

	return all / LOOKS_OF_ALL > LOOK_MS ? all / LOOKS_OF_ALL : LOOK_MS;
}
