/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The turns. On each CPU one member at a time has its turn: it gives it to the next one, then to
 * the same one again, then back to whom it had it from, and so on, so that every pair of members is
 * met in both directions. Each time it looks whether its registers are still its own.
 */
#include <stdatomic.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <boilerplate/trace.h>

#include "switchtest.h"

#define PRIORITY       50u
#define PREEMPT_NS     50000u
#define SPOILED        4000000000u
#define PRIORITY_ABOVE 60u

static char wrong[256];
static _Atomic bool is_wrong;
static uint64_t sleep_ns;
static bool freezes;
static _Atomic bool is_sim;

const char *turns_wrong(void)
{
	return atomic_load(&is_wrong) ? wrong : NULL;
}

static void tell_wrong(const struct member *member, const char *what)
{
	char from[NAME_BYTES];
	char to[NAME_BYTES];

	if (!atomic_load(&is_wrong))
		snprintf(wrong, sizeof(wrong),
			 "Error after context switch from task %u(%s) to task %u(%s),\n%s",
			 member->came_from,
			 member_name(&member->group->members[member->came_from], from),
			 member->index, member_name(member, to), what);
	if (freezes)
		(void)xntrace_user_freeze(member->index, 1);
	atomic_store(&is_wrong, true);
	(void)tact_task_suspend(TACT_SELF);
}

static unsigned int next_of(struct member *member)
{
	unsigned int count = member->group->count;

	switch (member->turns++ % 3) {
	case 0:
		member->last_to = (member->last_to + 1) % count;
		if (member->last_to == member->index)
			member->last_to = (member->last_to + 1) % count;
		return member->last_to;
	case 1:
		return member->last_to;
	default:
		return member->came_from;
	}
}

/* Give the turn away, and wait for the next one. */
static void pass(struct member *member)
{
	struct group *group = member->group;
	struct member *to = &group->members[next_of(member)];

	to->came_from = member->index;
	atomic_fetch_add_explicit(&group->switches, 1, memory_order_relaxed);
	(void)tact_sem_post(to->turn);
	(void)tact_sem_wait(member->turn, TACT_FOREVER);
}

/* In one mode: pass the turn on and come back to it. */
static void pass_in(struct member *member, bool primary)
{
	bool uses_fp = member->fp & (primary ? UFPP | FP : UFPS);
	uint32_t value = member->index + 1 + (uint32_t)(member->turns % 1000) * 1000;

	if (uses_fp) {
		if (fpu_hold(value, &member->group->preemptions))
			tell_wrong(member, "FPU registers were changed while it was preempted");
		fpu_round(value);
	}
	pass(member);
	if (!primary)
		(void)tact_task_relax();
	if (uses_fp && !fpu_rounds(value))
		tell_wrong(member, "FPU control words were those of another task");
	if (uses_fp)
		fpu_round(0);
}

static void check_mode(const struct member *member, enum tact_mode mode)
{
	if (tact_mode() != mode && !atomic_load_explicit(&is_sim, memory_order_relaxed))
		tell_wrong(member, mode == TACT_MODE_PRIMARY
					   ? "it should be in primary mode, but is not"
					   : "it should be in secondary mode, but is not");
}

/* By a call of ours, and by a call of Linux. */
static void go_to_linux(const struct member *member)
{
	if (member->turns % 2)
		(void)tact_task_relax();
	else
		(void)syscall(SYS_gettid);
	check_mode(member, TACT_MODE_SECONDARY);
}

static void be_primary(void *arg)
{
	struct member *member = arg;

	(void)tact_sem_wait(member->turn, TACT_FOREVER);
	for (;;) {
		check_mode(member, TACT_MODE_PRIMARY);
		pass_in(member, true);
	}
}

static void be_secondary(void *arg)
{
	struct member *member = arg;

	(void)tact_sem_wait(member->turn, TACT_FOREVER);
	for (;;) {
		go_to_linux(member);
		pass_in(member, false);
	}
}

static void be_both(void *arg)
{
	struct member *member = arg;

	(void)tact_sem_wait(member->turn, TACT_FOREVER);
	for (;;) {
		go_to_linux(member);
		pass_in(member, false);
		(void)tact_task_harden();
		check_mode(member, TACT_MODE_PRIMARY);
		pass_in(member, true);
	}
}

/* Lets Linux have the CPU now and then; the first turn is its. */
static void sleep_between(void *arg)
{
	struct member *member = arg;

	for (;;) {
		(void)tact_task_sleep(sleep_ns);
		if (member->group->count > 1) {
			go_to_linux(member);
			pass_in(member, false);
		}
	}
}

static void preempt(void *arg)
{
	struct group *group = arg;

	for (;;) {
		(void)tact_task_sleep(PREEMPT_NS);
		fpu_spoil(SPOILED);
		atomic_fetch_add_explicit(&group->preemptions, 1, memory_order_relaxed);
	}
}

static int start_member(struct member *member)
{
	static void (*const bodies[MEMBER_TYPES])(void *) = {sleep_between, be_primary, be_primary,
							     be_secondary, be_both};
	const struct tact_task_attr attr = {
		.priority = PRIORITY,
		.flags = TACT_ON_CPU(member->group->cpu) | TACT_TASK_NO_JOIN |
			 (member->type == RTK ? TACT_TASK_LIGHT : 0),
	};
	int error = tact_sem_create(NULL, 0, 1, TACT_ON_CPU(member->group->cpu), &member->turn);

	return error ? error : tact_task_spawn(&attr, bodies[member->type], member, NULL);
}

static int start_group(struct group *group, bool fpu)
{
	const struct tact_task_attr above = {.priority = PRIORITY_ABOVE,
					     .flags = TACT_ON_CPU(group->cpu) | TACT_TASK_NO_JOIN |
						      TACT_TASK_LIGHT};
	int error = 0;

	/* The sleeper, who begins, comes last: by then all others wait. */
	for (unsigned int i = group->count; i-- > 0 && !error;)
		error = start_member(&group->members[i]);
	if (!error && fpu)
		error = tact_task_spawn(&above, preempt, group, NULL);
	return error;
}

/* In virtual time a Linux call changes nothing. */
static void look_at_mode(void *arg)
{
	(void)syscall(SYS_gettid);
	*(bool *)arg = tact_mode() != TACT_MODE_SECONDARY;
}

int turns_start(struct switchtest *test)
{
	bool has_no_linux = false;
	tact_task_t task;
	int error = tact_task_spawn(NULL, look_at_mode, &has_no_linux, &task);

	if (!error)
		error = tact_task_join(task, TACT_FOREVER);
	atomic_store(&is_sim, has_no_linux);
	sleep_ns = test->sleep_ns;
	freezes = test->freeze;
	for (uint32_t i = 0; i < test->groups_count && !error; i++)
		error = start_group(&test->groups[i], !test->no_fpu);
	return error;
}
