/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Signals that wake a crowd. Who watches a signalfd is woken by Linux with each signal that is sent
 * to any thread of the program, and looks whether it is for him: the threads of a program have one
 * queue of such watchers. Seen: some 2 us for each parked shadow that sleeps, in the interrupt of
 * each shot, on the real-time CPU; with 17 of them, and a task that sleeps 50 us at a time above
 * another one that computes, nothing else was done there.
 *
 * So where that takes a share of the time, shadows watch no longer, and look each 10 ms.
 */
#define _GNU_SOURCE
#include "thread.h"

#include "shadow.h"

#define WAKES_MOST 10000u /* a round: some 20 of its 100 ms */

static uint64_t signals_since(void)
{
	static uint64_t before;
	uint64_t sum = 0, since;

	if (!thread_program.ports)
		return 0; /* a core's events are no signals */
	for (unsigned i = 0; i < thread_program.cpu_count; i++)
		sum += atomic_load_explicit(&thread_program.ports[i].signals, memory_order_relaxed);
	since = sum > before ? sum - before : 0;
	before = sum;
	return since;
}

static unsigned count_asleep(void)
{
	unsigned count = 0;

	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known)
		count += atomic_load_explicit(&shadow->asleep, memory_order_relaxed);
	return count;
}

/* One that is not told goes on watching, that is all. */
static void tell(void)
{
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!shadow_keeper_begins())
			continue;
		if (atomic_load(&shadow->asleep))
			shadow_tell_of_crowd(shadow);
		shadow_keeper_ends();
	}
}

/* Back at half of it, so that it does not go to and fro. */
void thread_crowd_watch(void)
{
	bool was = atomic_load(&thread_program.is_crowd);
	uint64_t wakes = signals_since() * count_asleep();

	if (was == (wakes >= (was ? WAKES_MOST / 2 : WAKES_MOST)))
		return;
	/* Dekker: with watches(). Who looks sees by itself that it may watch again. */
	atomic_store(&thread_program.is_crowd, !was);
	if (!was)
		tell();
}
