/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Monitors in memory that processes share, while some of these are killed or overwrite the
 * memory. */
#include "shared_monitors.h"

static void *stay_behind(void *unused)
{
	expect_ok(cobalt_monitor_enter(MONITOR));
	reach(BEHIND);
	pause();
	return unused;
}

static void stay(void)
{
	await(MADE);
	in_task(stay_behind, NULL);
}

static void *enter_after_death(void *unused)
{
	reach(WAITS);
	expect_ok(cobalt_monitor_enter(MONITOR));
	expect_ok(cobalt_monitor_exit(MONITOR));
	return unused;
}

static void follow(void)
{
	await(BEHIND);
	in_task(enter_after_death, NULL);
}

static void who_is_killed_behind_the_gate_leaves_it(void)
{
	pid_t owner, holder, next;

	session_begin();
	owner = process_begin(own);
	holder = process_begin(stay);
	next = process_begin(follow);
	await(WAITS);
	process_kill(holder);
	process_end(next);
	reach(MAY_END);
	process_end(owner);
}

static void *turn_over(void *unused)
{
	reach(TURNS);
	for (;;) {
		struct timespec soon = date_in(CLOCK_MONOTONIC, MS / 4);

		expect_ok(cobalt_monitor_enter(MONITOR));
		(void)cobalt_monitor_wait(MONITOR, COBALT_MONITOR_WAITGRANT, &soon);
		cobalt_monitor_grant_all(MONITOR);
		expect_ok(cobalt_monitor_exit(MONITOR));
	}
	return unused;
}

static void turn(void)
{
	await(MADE);
	in_task(turn_over, NULL);
}

static void processes_killed_at_any_moment_leave_the_monitor_whole(void)
{
	pid_t owner;

	session_begin();
	owner = process_begin(own);
	await(MADE);
	kill_at_random(turn, 12, 79, TURNS);
	reach(MAY_END);
	process_end(owner);
}

static void *outlive(void *unused)
{
	expect_ok(cobalt_monitor_enter(MONITOR));
	reach(WAITS);
	expect_eq(cobalt_monitor_wait(MONITOR, COBALT_MONITOR_WAITGRANT, NULL), -EIDRM);
	expect_eq(cobalt_monitor_enter(MONITOR), -EINVAL);
	expect_eq(cobalt_monitor_exit(MONITOR), -EINVAL);
	return unused;
}

static void wait_until_its_end(void)
{
	await(MADE);
	in_task(outlive, NULL);
}

static void own_until_killed(void)
{
	make();
	pause();
}

static void death_of_the_owner_ends_waits(void)
{
	outlive_owner(own_until_killed, wait_until_its_end, WAITS);
}

static void scribble(void)
{
	cobalt_monitor_t kept;

	await(MADE);
	kept = *MONITOR;
	MONITOR->place = 1u << 31;
	expect_eq(cobalt_monitor_enter(MONITOR), -EINVAL);
	*MONITOR = kept;
	MONITOR->gate++;
	expect_eq(cobalt_monitor_enter(MONITOR), -EINVAL);
	*MONITOR = kept;
	MONITOR->waiters = MONITOR->granted = MONITOR->drained = MONITOR->grants = 77;
	MONITOR->pending = UINT32_MAX;
	expect_ok(cobalt_monitor_enter(MONITOR));
	expect_ok(cobalt_monitor_exit(MONITOR));
	reach(MAY_END);
}

static void a_damaged_shadow_does_no_harm(void)
{
	owner_and_user(own, scribble);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(who_is_killed_behind_the_gate_leaves_it),
		CASE(processes_killed_at_any_moment_leave_the_monitor_whole),
		CASE(death_of_the_owner_ends_waits),
		CASE(a_damaged_shadow_does_no_harm),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
