/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Groups of event flags in memory that processes share. */
#include "processes.h"

enum { MADE, WAITS, WOKEN, POSTED, MAY_END };

static cobalt_event_t *event_of_page(void)
{
	return (cobalt_event_t *)(void *)page->objects;
}
#define event event_of_page()

static void make(int flags)
{
	expect_ok(cobalt_event_init(event, 0x80, flags | COBALT_EVENT_SHARED));
	reach(MADE);
}

static void own(void)
{
	make(COBALT_EVENT_PRIO);
	await(MAY_END);
	expect_ok(cobalt_event_destroy(event));
}

static void *use_in_task(void *unused)
{
	const struct timespec now = {0, 0};
	struct cobalt_event_info info = {0};
	struct timespec soon;
	unsigned int bits = 0;
	pid_t list[4];

	expect_ok(cobalt_event_wait(event, 0x80, &bits, COBALT_EVENT_ALL, NULL));
	expect_eq(bits, 0x80);
	expect_ok(cobalt_event_post(event, 0x1));
	expect_ok(cobalt_event_wait(event, 0x3, &bits, COBALT_EVENT_ANY, &now));
	expect_eq(bits, 0x1);
	expect_eq(cobalt_event_wait(event, 0x3, &bits, COBALT_EVENT_ALL, &now), -EWOULDBLOCK);
	soon = date_in(CLOCK_MONOTONIC, 5 * MS);
	expect_eq(cobalt_event_wait(event, 0x3, &bits, COBALT_EVENT_ALL, &soon), -ETIMEDOUT);
	expect_eq(cobalt_event_wait(event, 0x3, &bits, COBALT_EVENT_ALL, &soon), -ETIMEDOUT);
	expect_eq(cobalt_event_wait(event, 0x3, &bits, 2, NULL), -EINVAL);
	expect_ok(cobalt_event_wait(event, 0, &bits, COBALT_EVENT_ALL, NULL));
	expect_eq(bits, 0x81);
	expect_eq(cobalt_event_clear(event, 0x1), 0x81);
	expect_eq(cobalt_event_inquire(event, &info, list, sizeof(list)), 0);
	expect_eq(info.value, 0x80);
	expect_eq(info.flags, COBALT_EVENT_PRIO | COBALT_EVENT_SHARED);
	expect_eq(info.nrwait, 0);
	expect_eq(cobalt_event_inquire(event, NULL, NULL, 0), 0);
	return unused;
}

static void use(void)
{
	use_when_made(use_in_task, MADE, MAY_END);
}

static void all_services_reach_another_process(void)
{
	owner_and_user(own, use);
}

static void *wait_in_task(void *unused)
{
	unsigned int bits = 0;

	reach(WAITS);
	expect_ok(cobalt_event_wait(event, 0x1, &bits, COBALT_EVENT_ALL, NULL));
	reach(WOKEN);
	return unused;
}

static void wait_there(void)
{
	await(MADE);
	in_task(wait_in_task, NULL);
}

static void until_waiting(int count)
{
	struct cobalt_event_info info = {0};

	until(!cobalt_event_inquire(event, &info, NULL, 0) && info.nrwait == count);
}

static void own_and_post(void)
{
	make(COBALT_EVENT_FIFO);
	until_waiting(2);
	expect_ok(cobalt_event_post(event, 0x1));
	await(MAY_END);
}

static void a_post_wakes_waiters_of_other_processes(void)
{
	pid_t owner, one, two;

	session_begin();
	owner = process_begin(own_and_post);
	one = process_begin(wait_there);
	two = process_begin(wait_there);
	process_end(one);
	process_end(two);
	reach(MAY_END);
	process_end(owner);
}

static void *wait_for_deletion(void *unused)
{
	expect_eq(cobalt_event_wait(event, 0x1, NULL, COBALT_EVENT_ALL, NULL), -EIDRM);
	expect_eq(cobalt_event_post(event, 0x1), -EINVAL);
	expect_eq(cobalt_event_destroy(event), -EINVAL);
	expect_eq(cobalt_event_clear(event, 0x1), 0);
	expect_eq(cobalt_event_inquire(event, NULL, NULL, 0), -EINVAL);
	reach(WOKEN);
	return unused;
}

static void wait_for_end(void)
{
	await(MADE);
	in_task(wait_for_deletion, NULL);
}

static void own_and_destroy(void)
{
	make(COBALT_EVENT_FIFO);
	until_waiting(1);
	expect_ok(cobalt_event_destroy(event));
	await(WOKEN);
}

static void deletion_ends_waits_of_other_processes(void)
{
	owner_and_user(own_and_destroy, wait_for_end);
}

static void own_until_killed(void)
{
	make(COBALT_EVENT_FIFO);
	until_waiting(1);
	reach(WAITS);
	pause();
}

static void death_of_the_owner_ends_waits(void)
{
	outlive_owner(own_until_killed, wait_for_end, WAITS);
}

static void own_and_fork(void)
{
	pid_t child;

	make(COBALT_EVENT_PRIO);
	child = process_begin(wait_there);
	until_waiting(1);
	expect_ok(cobalt_event_post(event, 0x1));
	process_end(child);
	expect_ok(cobalt_event_destroy(event));
}

/* The child of a program that has started has no real-time CPUs, and calls as any other process
 * does. */
static void a_forked_child_has_the_objects_of_its_parent(void)
{
	session_begin();
	process_end(process_begin(own_and_fork));
	expect_eq(reached(WOKEN), 1);
}

static void turn_over(void)
{
	await(MADE);
	(void)thread_with(SCHED_FIFO, 20, wait_in_task, NULL);
	reach(POSTED);
	for (;;)
		(void)cobalt_event_clear(event, cobalt_event_post(event, 0x2) ? 0 : 0x2);
}

static void own_to_the_end(void)
{
	make(COBALT_EVENT_FIFO);
	await(MAY_END);
	until_waiting(0);
	expect_ok(cobalt_event_destroy(event));
}

static void processes_killed_at_any_moment_leave_no_waiter(void)
{
	pid_t owner;

	session_begin();
	owner = process_begin(own_to_the_end);
	await(MADE);
	kill_at_random(turn_over, 12, 78, POSTED);
	reach(MAY_END);
	process_end(owner);
}

static void no_op(int signal)
{
	(void)signal;
}

static void *wait_for_signal(void *unused)
{
	expect_eq(cobalt_event_wait(event, 0x1, NULL, COBALT_EVENT_ALL, NULL), -EINTR);
	return unused;
}

static void *wait_cancelled(void *unused)
{
	(void)cobalt_event_wait(event, 0x1, NULL, COBALT_EVENT_ALL, NULL);
	return unused;
}

static void interrupt(void)
{
	const struct sigaction action = {.sa_handler = no_op};
	pthread_t thread;
	void *result = NULL;

	await(MADE);
	expect_ok(sigaction(SIGUSR1, &action, NULL));
	thread = thread_with(SCHED_FIFO, 20, wait_for_signal, NULL);
	until_waiting(1);
	expect_ok(pthread_kill(thread, SIGUSR1));
	expect_ok(pthread_join(thread, NULL));
	until_waiting(0);
	thread = thread_with(SCHED_FIFO, 20, wait_cancelled, NULL);
	until_waiting(1);
	expect_ok(pthread_cancel(thread));
	expect_ok(pthread_join(thread, &result));
	expect_true(result == PTHREAD_CANCELED);
	until_waiting(0);
	reach(MAY_END);
}

static void signals_and_cancellation_end_waits(void)
{
	owner_and_user(own, interrupt);
}

static void scribble(void)
{
	cobalt_event_t kept;

	await(MADE);
	kept = *event;
	event->handle ^= 0x10000;
	expect_eq(cobalt_event_post(event, 1), -EINVAL);
	*event = kept;
	event->owner.process++;
	expect_eq(cobalt_event_post(event, 1), -EINVAL);
	event->owner = (struct cobalt_owner){0, 0};
	expect_eq(cobalt_event_wait(event, 1, NULL, 0, NULL), -EINVAL);
	memset(event, 0xff, sizeof(*event));
	expect_eq(cobalt_event_post(event, 1), -EINVAL);
	*event = kept;
	expect_ok(cobalt_event_post(event, 1));
	reach(MAY_END);
}

static void a_damaged_shadow_is_refused(void)
{
	owner_and_user(own, scribble);
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(all_services_reach_another_process),
		CASE(a_post_wakes_waiters_of_other_processes),
		CASE(deletion_ends_waits_of_other_processes),
		CASE(death_of_the_owner_ends_waits),
		CASE(a_forked_child_has_the_objects_of_its_parent),
		CASE(processes_killed_at_any_moment_leave_no_waiter),
		CASE(signals_and_cancellation_end_waits),
		CASE(a_damaged_shadow_is_refused),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
