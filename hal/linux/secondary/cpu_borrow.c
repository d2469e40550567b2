/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Shadows that Linux does not get to run. The thread that keeps the CPUs that are left to Linux may
 * be no task of this program: it may be the dispatcher of another program, on a CPU that it leased
 * later, or any SCHED_FIFO thread that computes. Linux would run the shadow on another CPU, but
 * that is the real-time CPU, which may well be idle. So a shadow that was kept from running may use
 * the real-time CPUs, too. There Linux's priorities put all but the most urgent shadows behind the
 * dispatcher. This lasts only for a while, because such a shadow disturbs the sleep of the idle
 * CPU.
 */
#define _GNU_SOURCE
#include "secondary/cpu_borrow.h"

#include <unistd.h>

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

/* Only if the program has not chosen the thread's CPUs itself, meanwhile or before. */
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
	if (shadow->balance.stay_seen == atomic_load(&shadow->stay) && !shadow->borrow.rounds &&
	    cpu_borrow_begin(shadow->tid)) {
		shadow->borrow.rounds = CPU_BORROW_ROUNDS;
		shadow->borrow.borrowed = true;
	}
}

static void show_out(struct hal_shadow *shadow)
{
	if (shadow->borrow.rounds && !--shadow->borrow.rounds)
		cpu_borrow_end(shadow->tid);
}

/* The next shadow after `last` that has not run for so many rounds. If there is only one, it is its
 * own successor. */
static struct hal_shadow *next_still(struct hal_shadow *last, uint32_t rounds)
{
	struct hal_shadow *first = NULL;
	bool passed = false;

	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (shadow->borrow.still_rounds >= rounds && (passed || !first)) {
			if (passed)
				return shadow;
			first = shadow;
		}
		passed = passed || shadow == last;
	}
	return first;
}

/*
 * Most shadows that do not run wait for something. Each round asks Linux about one of them. If it
 * was ready to run, the next round asks once more, because it may have been woken just then.
 */
static void look_at_one(uint32_t rounds)
{
	static struct hal_shadow *looked;
	static bool doubted;

	if (!doubted || looked->borrow.still_rounds < rounds) {
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
	/* A CPU that is never released, or that Linux does not have, cannot be borrowed. */
	if (!linux_program.port_count || linux_program.idle == HAL_IDLE_SPIN)
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!shadow->borrow.rounds || !shadow_lock_try())
			continue;
		show_out(shadow);
		shadow_lock_release();
	}
	look_at_one(rounds);
	cpu_borrow_plain_round();
}

/*
 * Threads of a program that ends. Each has to run once more to end. A thread that has only the CPUs
 * that are left to Linux might wait there for a more urgent thread of another program, and forever
 * if that thread computes. So each may end on the real-time CPUs, too. A program that is killed by
 * SIGKILL cannot arrange this: what is left of it waits until the other program sleeps or ends.
 */
void cpu_borrow_at_exit(void)
{
	off_t behind = 0;
	uint32_t tid;
	int tasks;

	if (!linux_program.fifo || !linux_program.other_cpus_differ)
		return;
	tasks = linux_tasks_open();
	if (tasks < 0)
		return;
	while ((tid = linux_tasks_next(tasks, &behind)))
		(void)cpu_borrow_begin(tid);
	close(tasks);
}
