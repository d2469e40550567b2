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
#include "thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "call.h"
#include "shadow.h"

#define STAY_ROUNDS 100u /* of the housekeeper: what it costs to be kept waiting anew is little */

/* Ready to run, by Linux's account. Source: proc_pid_stat(5). */
static bool is_ready(uint32_t tid)
{
	char path[48], text[128], *state;
	ssize_t got;
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%u/stat", tid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	got = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[got > 0 ? got : 0] = 0;
	state = strrchr(text, ')');
	return state && !strncmp(state, ") R", 3);
}

static void wide_set(cpu_set_t *set)
{
	*set = thread_program.other_cpus;
	for (unsigned i = 0; i < thread_program.cpu_count; i++)
		CPU_SET(thread_program.ports[i].cpu->linux_cpu, set);
}

/* What the program said of this thread's CPUs meanwhile, or before, stands. */
static bool exchange(const struct hal_shadow *shadow, const cpu_set_t *from, const cpu_set_t *to)
{
	cpu_set_t now;

	return !sched_getaffinity((pid_t)shadow->tid, sizeof(now), &now) && CPU_EQUAL(&now, from) &&
	       !sched_setaffinity((pid_t)shadow->tid, sizeof(*to), to);
}

static void let_in(struct hal_shadow *shadow)
{
	cpu_set_t wide;

	wide_set(&wide);
	if (shadow->stay_seen == atomic_load(&shadow->stay) && !shadow->refuge_rounds &&
	    exchange(shadow, &thread_program.other_cpus, &wide))
		shadow->refuge_rounds = STAY_ROUNDS;
}

static void show_out(struct hal_shadow *shadow)
{
	cpu_set_t wide;

	if (!shadow->refuge_rounds || --shadow->refuge_rounds)
		return;
	wide_set(&wide);
	(void)exchange(shadow, &wide, &thread_program.other_cpus);
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
	if (!looked || !shadow_keeper_begins())
		return;
	if (!is_ready(looked->tid)) {
		doubted = false;
	} else if (!doubted) {
		doubted = true;
	} else {
		doubted = false;
		let_in(looked);
	}
	shadow_keeper_ends();
}

void shadow_refuge_round(uint32_t rounds)
{
	/* A CPU that is never given up, or is not Linux's at all, is no refuge. */
	if (!thread_program.ports || thread_program.idle == HAL_IDLE_SPIN)
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!shadow->refuge_rounds || !shadow_keeper_begins())
			continue;
		show_out(shadow);
		shadow_keeper_ends();
	}
	look_at_one(rounds);
}
