/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sharing of the CPUs that Linux has for the program. A task that computes in secondary mode keeps
 * one, as any SCHED_FIFO thread does. Linux would run the program's other threads (future tasks,
 * other tasks in secondary mode) on the real-time CPU, but that is taken. So if such tasks keep all
 * CPUs of Linux, they are demoted below the others, one after another, and take turns there. If
 * more urgent tasks compute on the real-time CPUs, Linux would have no CPU for these threads
 * either, and they go on in the order of their priorities.
 */
#define _GNU_SOURCE
#include "call.h"
#include "program.h"
#include "secondary/cpu_borrow.h"
#include "secondary/priority.h"
#include "shadow/lock.h"
#include "shadow/record.h"

/* Of each CPU: Linux keeps the rest for others, or a hypervisor does. */
#define FULL_PERCENT 75u
/* A task that took this much of a CPU would have taken all, had others let it. */
#define ALL_PERCENT 50u

static _Atomic uint64_t round_ns; /* how long the last round was */

static unsigned cpus_there(void)
{
	return (unsigned)CPU_COUNT(&linux_program.other_cpus);
}

/* Source: Linux include/linux/posix-timers_types.h, CPUCLOCK_PERTHREAD_MASK and CPUCLOCK_SCHED. */
static uint64_t processor_time_ns(uint32_t tid)
{
	const int clock = (int)(~tid << 3 | 6u);
	struct timespec ran = {0};

	(void)call3(SYS_clock_gettime, clock, (long)&ran, 0);
	return (uint64_t)ran.tv_sec * 1000000000u + (uint64_t)ran.tv_nsec;
}

/* Since the last round; 0 if its task was in primary mode meanwhile. */
static uint64_t ran_ns(struct hal_shadow *shadow)
{
	const uint32_t stay = atomic_load_explicit(&shadow->stay, memory_order_acquire);
	const bool stayed = stay == shadow->balance.stay_seen;
	const uint64_t before_ns = shadow->balance.ran_ns;

	shadow->balance.stay_seen = stay;
	if (!SHADOW_IS_HERE(stay)) {
		/* A task may have been sent here while the thread has not run yet. */
		shadow->borrow.still_rounds =
			atomic_load(&shadow->parked) ? 0 : shadow->borrow.still_rounds + 1;
		return 0;
	}
	shadow->borrow.still_rounds++;
	shadow->balance.ran_ns = processor_time_ns(shadow->tid);
	if (!stayed || shadow->balance.ran_ns != before_ns)
		shadow->borrow.still_rounds = 0;
	return stayed && shadow->balance.ran_ns > before_ns ? shadow->balance.ran_ns - before_ns
							    : 0;
}

/* A shadow that came here in this round, and came demoted, counts as computing, because its task
 * computed before. */
static void note_taken(struct hal_shadow *shadow, uint64_t ran, uint64_t now_round_ns)
{
	const bool came = atomic_load(&shadow->priority.given) & HAL_DEMOTED && !ran &&
			  !shadow->borrow.still_rounds;
	const bool all = came || ran >= now_round_ns / 100 * ALL_PERCENT;

	atomic_store_explicit(&shadow->balance.took_ns, all ? now_round_ns : ran,
			      memory_order_relaxed);
}

bool hal_shadows_have_capacity(unsigned priority)
{
	const uint64_t one_ns = atomic_load_explicit(&round_ns, memory_order_relaxed);
	uint64_t took_ns = one_ns / 100 * (100 - FULL_PERCENT);

	if (!linux_program.fifo || !linux_program.other_cpus_differ)
		return true;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known)
		if ((atomic_load(&shadow->priority.given) & HAL_LEVEL) >= priority)
			took_ns += atomic_load_explicit(&shadow->balance.took_ns,
							memory_order_relaxed);
	return took_ns <= one_ns * cpus_there();
}

/*
 * A thread that gives the shadow another priority meanwhile, for example when it brings the task
 * back, has the last word. A shadow whose task was brought back before the demotion gets its normal
 * priority again.
 */
static void lower_one(struct hal_shadow *shadow)
{
	unsigned priority = atomic_load(&shadow->priority.given);

	if (!(priority & HAL_LEVEL) ||
	    !atomic_compare_exchange_strong(&shadow->priority.given, &priority,
					    priority | HAL_DEMOTED))
		return;
	if (shadow->balance.stay_seen != atomic_load(&shadow->stay))
		shadow_priority_restore(shadow);
	shadow_priority_apply(shadow);
}

/* A shadow that has ended, or is a plain thread by now, is left alone. */
static void lower(struct hal_shadow *shadow)
{
	if (!shadow_lock_try())
		return;
	if (shadow->balance.stay_seen == atomic_load(&shadow->stay))
		lower_one(shadow);
	shadow_lock_release();
}

/* The order of demoted shadows changes as shadows come and go, and with the tasks that keep the
 * real-time CPUs. */
static void put_in_order(void)
{
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!(atomic_load(&shadow->priority.given) & HAL_DEMOTED) || !shadow_lock_try())
			continue;
		if (atomic_load(&shadow->priority.given) & HAL_DEMOTED)
			shadow_priority_apply(shadow);
		shadow_lock_release();
	}
}

/* Returns how long all shadows ran. longest: of the shadows above `kept` that are not demoted, the
 * one that ran longest, or NULL. */
static uint64_t look_at_all(uint64_t now_round_ns, unsigned kept, struct hal_shadow **longest)
{
	uint64_t longest_ns = 0, sum_ns = 0;

	*longest = NULL;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		const uint64_t ran = ran_ns(shadow);
		const unsigned priority = atomic_load(&shadow->priority.given);

		note_taken(shadow, ran, now_round_ns);
		sum_ns += ran;
		if (priority & HAL_DEMOTED || (priority & HAL_LEVEL) <= kept || ran <= longest_ns)
			continue;
		longest_ns = ran;
		*longest = shadow;
	}
	return sum_ns;
}

void hal_shadows_rebalance(uint32_t rounds, unsigned kept)
{
	static uint64_t last_ns;
	static uint32_t full;
	const uint64_t now_ns = hal_now_ns();
	const uint64_t since_ns = now_ns - last_ns;
	struct hal_shadow *longest;
	uint64_t sum_ns;

	if (!linux_program.fifo || !linux_program.other_cpus_differ)
		return;
	shadow_priority_keep_up_to(kept);
	sum_ns = look_at_all(since_ns, kept, &longest);
	atomic_store_explicit(&round_ns, since_ns, memory_order_relaxed);
	put_in_order();
	cpu_borrow_round(rounds);
	last_ns = now_ns;
	full = sum_ns >= since_ns * cpus_there() / 100 * FULL_PERCENT ? full + 1 : 0;
	if (full < rounds || !longest)
		return;
	full = 0;
	lower(longest);
}
