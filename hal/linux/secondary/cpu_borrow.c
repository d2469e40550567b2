/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shadows that Linux does not come to. What keeps the CPUs that are left to Linux may be no task of
 * this program: another one's dispatcher, on the CPU that it leased later, or any SCHED_FIFO thread
 * that computes. Linux would run a thread elsewhere then, and elsewhere is the real-time CPU, which
 * may well be idle. So a shadow that has been kept from running there is let on that, too, where
 * Linux's priorities put it behind the dispatcher, but the most urgent ones; for a while, because
 * it comes in the way of the idle CPU's sleep.
 */
#define _GNU_SOURCE
#include "secondary/cpu_borrow.h"

#include "program.h"
#include "shadow/lock.h"
#include "shadow/record.h"
#include "task_file.h"

static void wide_set(cpu_set_t *set)
{
	*set = linux_program.other_cpus;
	for (unsigned i = 0; i < linux_program.port_count; i++)
		CPU_SET(linux_program.ports[i]->cpu->linux_cpu, set);
}

/* What the program said of this thread's CPUs meanwhile, or before, stands. */
static bool exchange(uint32_t tid, const cpu_set_t *from, const cpu_set_t *to)
{
	cpu_set_t now;

	return !sched_getaffinity((pid_t)tid, sizeof(now), &now) && CPU_EQUAL(&now, from) &&
	       !sched_setaffinity((pid_t)tid, sizeof(*to), to);
}

bool cpu_borrow_begin(uint32_t tid)
{
	cpu_set_t wide;

	wide_set(&wide);
	return exchange(tid, &linux_program.other_cpus, &wide);
}

void cpu_borrow_end(uint32_t tid)
{
	cpu_set_t wide;

	wide_set(&wide);
	(void)exchange(tid, &wide, &linux_program.other_cpus);
}

static void let_in(struct hal_shadow *shadow)
{
	if (shadow->stay_seen == atomic_load(&shadow->stay) && !shadow->borrow_rounds &&
	    cpu_borrow_begin(shadow->tid)) {
		shadow->borrow_rounds = CPU_BORROW_ROUNDS;
		shadow->borrowed = true;
	}
}

static void show_out(struct hal_shadow *shadow)
{
	if (shadow->borrow_rounds && !--shadow->borrow_rounds)
		cpu_borrow_end(shadow->tid);
}

/* The one after the last one that has not run for so long; the only one is its own successor. */
static struct hal_shadow *next_still(struct hal_shadow *last, uint32_t rounds)
{
	struct hal_shadow *first = NULL;
	bool passed = false;

	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (shadow->still_rounds >= rounds && (passed || !first)) {
			if (passed)
				return shadow;
			first = shadow;
		}
		passed = passed || shadow == last;
	}
	return first;
}

/*
 * Most that do not run wait for something. One is asked for in a round, and once more in the next
 * one if it seemed kept: it may have been woken just then.
 */
static void look_at_one(uint32_t rounds)
{
	static struct hal_shadow *looked;
	static bool doubted;

	if (!doubted || looked->still_rounds < rounds) {
		doubted = false;
		looked = next_still(looked, rounds);
	}
	if (!looked || !shadow_lock_try())
		return;
	if (!linux_task_is_ready(looked->tid)) {
		doubted = false;
	} else if (!doubted) {
		doubted = true;
	} else {
		doubted = false;
		let_in(looked);
	}
	shadow_lock_release();
}

void cpu_borrow_round(uint32_t rounds)
{
	/* A CPU that is never given up, or is not Linux's at all, is not to be borrowed. */
	if (!linux_program.port_count || linux_program.idle == HAL_IDLE_SPIN)
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!shadow->borrow_rounds || !shadow_lock_try())
			continue;
		show_out(shadow);
		shadow_lock_release();
	}
	look_at_one(rounds);
	cpu_borrow_plain_round();
}
