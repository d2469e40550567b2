/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Priorities between processes: threads that wait for a gate in other processes raise the thread
 * behind it, and a thread whose priority rises while it waits in another process is served
 * first.
 */
#include "processes.h"

#include <semaphore.h>

enum { MADE, BEHIND, RAISED, WAITS, DONE, MAY_END };

#define LOW  10
#define HIGH 60

#define MONITOR ((cobalt_monitor_t *)(void *)page->objects)
#define SEM     ((sem_t *)(void *)page->objects)
#define ORDER   ((char *)page->objects + 1024)

static void own_monitor(void)
{
	expect_ok(cobalt_monitor_init(MONITOR, CLOCK_MONOTONIC, COBALT_MONITOR_SHARED));
	reach(MADE);
	await(MAY_END);
}

static int priority_now(void)
{
	struct cobalt_threadstat stat = {0};

	expect_ok(cobalt_thread_stat(0, &stat));
	return stat.cprio;
}

static void *stay_behind(void *unused)
{
	expect_ok(cobalt_monitor_enter(MONITOR));
	expect_eq(priority_now(), LOW);
	reach(BEHIND);
	until(priority_now() == HIGH);
	reach(RAISED);
	expect_ok(cobalt_monitor_exit(MONITOR));
	expect_eq(priority_now(), LOW);
	return unused;
}

static void stay(void)
{
	await(MADE);
	expect_ok(pthread_join(thread_with(SCHED_FIFO, LOW, stay_behind, NULL), NULL));
}

static void *enter_next(void *unused)
{
	expect_ok(cobalt_monitor_enter(MONITOR));
	expect_eq(reached(RAISED), 1);
	expect_ok(cobalt_monitor_exit(MONITOR));
	return unused;
}

static void enter(void)
{
	await(BEHIND);
	expect_ok(pthread_join(thread_with(SCHED_FIFO, HIGH, enter_next, NULL), NULL));
	reach(MAY_END);
}

static void who_is_behind_the_gate_is_raised(void)
{
	pid_t owner, holder, waiter;

	session_begin();
	owner = process_begin(own_monitor);
	holder = process_begin(stay);
	waiter = process_begin(enter);
	process_end(holder);
	process_end(waiter);
	process_end(owner);
}

static int waiting(void)
{
	struct cobalt_sem_info info = {0};

	expect_true(cobalt_sem_inquire(SEM, &info, NULL, 0) >= 0);
	return info.nrwait;
}

static void own_sem(void)
{
	expect_ok(sem_init_np(SEM, SEM_PSHARED | SEM_RAWCLOCK, 0));
	reach(MADE);
	await(RAISED);
	/* The report of it was sent here before. */
	__STD(usleep)(20000);
	for (uint32_t i = 0; i < 2; i++) {
		expect_ok(sem_post(SEM));
		await_count(DONE, i + 1);
	}
	expect_ok(sem_destroy(SEM));
}

static void *pass(void *arg)
{
	expect_ok(sem_wait(SEM));
	ORDER[reached(DONE)] = *(const char *)arg;
	reach(DONE);
	return NULL;
}

static void come_first(void)
{
	pthread_t thread;

	await(MADE);
	thread = thread_with(SCHED_FIFO, LOW, pass, (void *)(uintptr_t) "a");
	await(WAITS);
	expect_ok(pthread_setschedparam(thread, SCHED_FIFO,
					&(struct sched_param){.sched_priority = HIGH}));
	reach(RAISED);
	expect_ok(pthread_join(thread, NULL));
}

static void come_second(void)
{
	pthread_t thread;

	await(MADE);
	until(waiting() == 1);
	thread = thread_with(SCHED_FIFO, LOW + 10, pass, (void *)(uintptr_t) "b");
	until(waiting() == 2);
	reach(WAITS);
	expect_ok(pthread_join(thread, NULL));
}

static void a_new_priority_is_heeded_in_a_wait_elsewhere(void)
{
	pid_t owner, first, second;

	session_begin();
	owner = process_begin(own_sem);
	first = process_begin(come_first);
	second = process_begin(come_second);
	process_end(first);
	process_end(second);
	process_end(owner);
	expect_ok(strcmp(ORDER, "ab"));
}

int main(void)
{
	static const struct test_case cases[] = {
		CASE(who_is_behind_the_gate_is_raised),
		CASE(a_new_priority_is_heeded_in_a_wait_elsewhere),
	};

	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
