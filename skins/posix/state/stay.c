/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which threads stay in Linux, and how long: see stay.h. */
#define _GNU_SOURCE
#include "posix/state/stay.h"

#include <stdlib.h>

#include "posix/state/options.h"

#define LEAST_NS TACT_S(1) /* the length of a second stay */
#define MOST_NS  TACT_S(64)

uint32_t posix_stay_after;
bool posix_stay_refused;

static _Atomic uint32_t tasks;   /* the number of tasks */
static _Atomic uint32_t waiting; /* real-time threads that have not been tasks so far */
static bool is_forked;

/* If the options report or deny mode switches, or require real time, all threads are tasks from the
 * beginning. */
void posix_stay_prepare(void)
{
	const char *after = getenv("TACTUS_RUN_STAY");

	if (!after || posix_stay_refused || posix_task_flags() || posix_real_time_is_required())
		return;
	/* The launcher has checked the form. No function of the C library is used, as it may be a
	 * sanitizer's. */
	for (; *after >= '0' && *after <= '9'; after++)
		posix_stay_after = posix_stay_after * 10 + (uint32_t)(*after - '0');
}

static void set_state(struct posix_thread *thread, uint32_t to_set, uint32_t to_clear)
{
	uint32_t state = atomic_load_explicit(&thread->state, memory_order_relaxed);

	while (!atomic_compare_exchange_weak_explicit(&thread->state, &state,
						      (state & ~to_clear) | to_set,
						      memory_order_release, memory_order_relaxed))
		;
}

void posix_stay_inherit(struct posix_thread *thread)
{
	thread->stay.inherited = true;
	if (!posix_stay_after || !posix_policy_is_real_time(thread->policy))
		return;
	atomic_store_explicit(&thread->stay.waits_first, true, memory_order_relaxed);
	atomic_fetch_add_explicit(&waiting, 1, memory_order_relaxed);
	set_state(thread, POSIX_STAYS, POSIX_POLICY_CHANGED);
}

/*
 * The task has come to primary mode only to leave it again. A task with SCHED_DEADLINE does not
 * stay, because only the nucleus keeps deadlines. The next interposed call ends the task.
 */
void posix_stay_switched(void)
{
	if (!posix_stay_after || !posix_thread_is_task(&posix_me) ||
	    (posix_me.policy & ~SCHED_RESET_ON_FORK) == SCHED_DEADLINE ||
	    ++posix_me.stay.switches_in_row < posix_stay_after)
		return;
	posix_me.stay.switches_in_row = 0;
	set_state(&posix_me, POSIX_STAYS | POSIX_POLICY_CHANGED, 0);
}

void posix_stay_waits(void)
{
	if (posix_me.stay.until_ns && tact_now().ns < posix_me.stay.until_ns)
		return;
	set_state(&posix_me, POSIX_POLICY_CHANGED, POSIX_STAYS);
}

bool posix_stay_begins(void)
{
	posix_me.stay.until_ns = posix_me.stay.next_ns ? tact_now().ns + posix_me.stay.next_ns : 0;
	posix_me.stay.next_ns = posix_me.stay.next_ns ? posix_me.stay.next_ns * 2 : LEAST_NS;
	if (posix_me.stay.next_ns > MOST_NS)
		posix_me.stay.next_ns = MOST_NS;
	return !atomic_load_explicit(&tasks, memory_order_relaxed);
}

void posix_stay_cannot(void)
{
	set_state(&posix_me, 0, POSIX_STAYS);
}

void posix_stay_chosen(struct posix_thread *thread)
{
	thread->stay.inherited = false;
	if (atomic_exchange(&thread->stay.waits_first, false))
		atomic_fetch_sub_explicit(&waiting, 1, memory_order_relaxed);
	set_state(thread, 0, POSIX_STAYS);
}

void posix_stay_task_begins(void)
{
	const bool inherited = posix_me.stay.inherited;

	posix_stay_chosen(&posix_me);
	posix_me.stay.inherited = inherited;
	posix_me.stay.switches_in_row = 0;
	atomic_fetch_add_explicit(&tasks, 1, memory_order_relaxed);
}

void posix_stay_task_ends(void)
{
	atomic_fetch_sub_explicit(&tasks, 1, memory_order_relaxed);
}

unsigned posix_stay_count(void)
{
	return is_forked ? 0 : atomic_load_explicit(&waiting, memory_order_relaxed);
}

void posix_stay_forked(void)
{
	is_forked = true;
	posix_me.stay.waits_first = false;
	atomic_store_explicit(&tasks, 0, memory_order_relaxed);
}
