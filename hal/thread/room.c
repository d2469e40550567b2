/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Room on the CPUs that Linux has for the program. A task that computes in secondary mode keeps
 * one, as any SCHED_FIFO thread does; but what else the program has for Linux to run finds the
 * real-time CPU, which Linux would have had for it, taken: threads on their way to be tasks, other
 * tasks in secondary mode. So where such tasks keep all of Linux's CPUs, they go below the others,
 * one after the other, and take turns there.
 */
#define _GNU_SOURCE
#include "thread.h"

#include "call.h"
#include "shadow.h"

#define LOWEST (1u | HAL_IN_TURNS)
/* Of each CPU: some of it Linux keeps for others, or a hypervisor does. */
#define FULL_PERCENT 75u

/* Source: Linux include/linux/posix-timers_types.h, CPUCLOCK_PERTHREAD_MASK and CPUCLOCK_SCHED. */
static uint64_t processor_time_ns(uint32_t tid)
{
	const int clock = (int)(~tid << 3 | 6u);
	struct timespec ran = {0};

	(void)call3(SYS_clock_gettime, clock, (long)&ran, 0);
	return (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec;
}

/* Since the last round; 0 where its task was in primary mode meanwhile. */
static uint64_t ran_ns(struct hal_shadow *shadow)
{
	const uint32_t stay = atomic_load_explicit(&shadow->stay, memory_order_acquire);
	const bool stayed = stay == shadow->stay_seen;
	const uint64_t before_ns = shadow->ran_ns;

	shadow->stay_seen = stay;
	if (!SHADOW_IS_HERE(stay)) {
		/* A task may have been sent here, which the thread has not come to see. */
		shadow->still_rounds = atomic_load(&shadow->parked) ? 0 : shadow->still_rounds + 1;
		return 0;
	}
	shadow->still_rounds++;
	shadow->ran_ns = processor_time_ns(shadow->tid);
	if (!stayed || shadow->ran_ns != before_ns)
		shadow->still_rounds = 0;
	return stayed && shadow->ran_ns > before_ns ? shadow->ran_ns - before_ns : 0;
}

/* Whoever gives it another priority meanwhile, as who brings its task back does, comes last. */
static void lower_one(struct hal_shadow *shadow)
{
	uint32_t priority = atomic_load(&shadow->priority);

	if (!(priority & ~HAL_IN_TURNS))
		return;
	call_scheduler(shadow->tid, LOWEST);
	if (priority == atomic_load(&shadow->priority) &&
	    shadow->stay_seen == atomic_load(&shadow->stay))
		return;
	shadow_priority_apply(shadow);
}

/* One that has ended, or is a plain thread by now, is let alone. */
static void lower(struct hal_shadow *shadow)
{
	if (!shadow_keeper_begins())
		return;
	if (shadow->stay_seen == atomic_load(&shadow->stay))
		lower_one(shadow);
	shadow_keeper_ends();
}

void hal_shadows_make_room(uint32_t rounds)
{
	static uint64_t last_ns;
	static uint32_t full;
	const uint64_t now_ns = hal_now_ns();
	const uint64_t there_ns =
		(now_ns - last_ns) * (unsigned)CPU_COUNT(&thread_program.other_cpus);
	struct hal_shadow *longest = NULL;
	uint64_t longest_ns = 0, sum_ns = 0;

	if (!thread_program.fifo || !thread_program.other_cpus_differ)
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		const uint64_t ran = ran_ns(shadow);

		sum_ns += ran;
		if (ran > longest_ns) {
			longest_ns = ran;
			longest = shadow;
		}
	}
	shadow_refuge_round(rounds);
	last_ns = now_ns;
	full = sum_ns >= there_ns / 100 * FULL_PERCENT ? full + 1 : 0;
	if (full < rounds || !longest)
		return;
	full = 0;
	lower(longest);
}
