/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: the sources of events, and the stack that events need. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define EVENT_SIGNAL 33 /* used by the C library and by events */

static struct suite_task task;
static _Atomic bool over;
static _Atomic unsigned looks, running;

static void look(struct suite_cpu *cpu)
{
	(void)cpu;
	atomic_fetch_add(&looks, 1);
}

static void compute(void *arg)
{
	(void)arg;
	atomic_store(&running, 1);
	while (!atomic_load(&over))
		hal_compute(1000);
}

static void kick_in_handler(int signal)
{
	(void)signal;
	hal_kick(&suite_cpus[0].hal);
}

static void kick_from_a_signal_handler(void)
{
	suite_start(1);
	signal(SIGUSR1, kick_in_handler);
	suite_task_start(&task, 0, false, compute, NULL);
	await("running", &running, 1);
	suite_cpus[0].on_event = look;
	for (unsigned i = 0; i < 100; i++) {
		unsigned before = atomic_load(&looks);

		raise(SIGUSR1);
		await("events", &looks, before + 1);
	}
	atomic_store(&over, true);
	suite_task_join(&task);
	suite_stop();
}

/*
 * On a machine where an event costs more than a gap, an endless flood would leave the task no
 * instruction. So each source continues only when the task has computed since the last event.
 */
static atomic_uint computed;

static bool computed_since(unsigned *seen)
{
	unsigned now = atomic_load(&computed);
	bool more = now != *seen;

	*seen = now;
	return more;
}

/* With gaps of all lengths, in bursts. */
static void kick_often(void *arg)
{
	unsigned gap = (unsigned)(uintptr_t)arg;
	unsigned seen = 0;

	for (unsigned kicks = 1; !atomic_load(&over); kicks++) {
		uint64_t until_ns = hal_now_ns() + gap % 16384;

		hal_kick(&suite_cpus[0].hal);
		while (hal_now_ns() < until_ns)
			hal_relax_processor();
		while (!(kicks % 16) && !atomic_load(&over) && !computed_since(&seen))
			hal_relax_processor();
		gap = gap * 1103515245u + 12345u;
	}
}

/* Shots between the kicks: the nucleus requests the next one at once. */
static void shoot_again(struct suite_cpu *cpu)
{
	static unsigned seen;

	atomic_fetch_add(&looks, 1);
	hal_shot(&cpu->hal, hal_now_ns() + (computed_since(&seen) ? 20000 : 1000000));
}

static void compute_for_long(void *arg)
{
	uint64_t until_ns = hal_now_ns() + 1000000000;

	(void)arg;
	while (hal_now_ns() < until_ns) {
		atomic_fetch_add(&computed, 1);
		hal_enter();
		hal_leave();
	}
	atomic_store(&over, true);
}

/*
 * Nested frames would overrun the smallest stack, which has room for two: this fault would be
 * reported. No frame may be left behind either.
 */
static void flood_of_events_fits_the_smallest_stack(void)
{
	struct back_end_thread *kickers[2];

	if (back_end_cpus() < 2)
		skip("one CPU: a computing task leaves Linux none of it");
	suite_start(1);
	suite_cpus[0].on_event = shoot_again;
	suite_task_start_on(hal_stack_minimum(), &task, 0, false, compute_for_long, NULL);
	for (unsigned i = 0; i < 2; i++)
		kickers[i] = back_end_thread_start(kick_often, (void *)(uintptr_t)(i + 1));
	for (unsigned i = 0; i < 2; i++)
		back_end_thread_join(kickers[i]);
	suite_task_join(&task);
	suite_stop();
	expect("fault", 0, task.fault.cause);
	expect_true("a flood", atomic_load(&looks) > 1000);
}

/* The user's limit of queued signals is used up: kicks must still come. */
static void kicks_need_no_queue(void)
{
	struct rlimit limit = {0, 0};

	suite_start(1);
	suite_task_start(&task, 0, false, compute, NULL);
	await("running", &running, 1);
	suite_cpus[0].on_event = look;
	setrlimit(RLIMIT_SIGPENDING, &limit);
	for (unsigned i = 0; i < 100; i++) {
		unsigned before = atomic_load(&looks);

		hal_kick(&suite_cpus[0].hal);
		await("events", &looks, before + 1);
	}
	atomic_store(&over, true);
	suite_task_join(&task);
	suite_stop();
}

static void arm_all_the_time(void *arg)
{
	uint64_t instant_ns = hal_now_ns() + 1000000000000;

	(void)arg;
	atomic_store(&running, 1);
	while (!atomic_load(&over)) {
		struct hal_cpu *cpu = hal_enter();

		/* Always an earlier one, so that each is armed. */
		instant_ns -= 1000;
		hal_shot(cpu, instant_ns);
		hal_leave();
	}
}

/* A shot that is armed meanwhile cancels no kick. */
static void kicks_beside_shots_need_no_queue(void)
{
	struct rlimit limit = {0, 0};

	if (back_end_cpus() < 2)
		skip("one CPU: a computing task leaves Linux none of it");
	suite_start(1);
	suite_task_start(&task, 0, false, arm_all_the_time, NULL);
	await("running", &running, 1);
	suite_cpus[0].on_event = look;
	setrlimit(RLIMIT_SIGPENDING, &limit);
	for (unsigned i = 0; i < 2000; i++) {
		unsigned before = atomic_load(&looks);

		hal_kick(&suite_cpus[0].hal);
		await("events", &looks, before + 1);
	}
	atomic_store(&over, true);
	suite_task_join(&task);
	suite_stop();
}

/* Another program sends the signal of events to the process: nothing happens. */
static void stray_signal_is_ignored(void)
{
	suite_start(1);
	for (unsigned i = 0; i < 100; i++)
		kill(getpid(), EVENT_SIGNAL);
	suite_task_start(&task, 0, true, compute, NULL);
	for (unsigned i = 0; i < 100; i++)
		kill(getpid(), EVENT_SIGNAL);
	atomic_store(&over, true);
	suite_task_join(&task);
	suite_stop();
}

/* All uses that a program can make of signals remain available to it. */
static void no_signal_of_the_programs_is_taken(void)
{
	struct sigaction action;

	suite_start(1);
	for (int signal = SIGRTMIN; signal <= SIGRTMAX; signal++) {
		expect("sigaction", 0, sigaction(signal, NULL, &action));
		expect_true("untouched", action.sa_handler == SIG_DFL);
	}
	suite_stop();
}

static void read_clocks(void *arg)
{
	struct timespec time;

	(void)arg;
	for (unsigned i = 0; i < 100; i++) {
		expect("monotonic", 0, clock_gettime(CLOCK_MONOTONIC, &time));
		expect("wall", 0, clock_gettime(CLOCK_REALTIME, &time));
		/* The vDSO passes this one on to the kernel. */
		expect("CPU time", 0, clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time));
	}
}

static void reading_a_clock_is_no_mode_switch(void)
{
	suite_start(1);
	suite_task_start(&task, 0, true, read_clocks, NULL);
	suite_task_join(&task);
	suite_stop();
	expect("Linux calls", 0, atomic_load(&task.linux_calls));
}

const struct suite_case cases_thread_event[] = {
	CASE(kick_from_a_signal_handler),
	CASE(flood_of_events_fits_the_smallest_stack),
	CASE(kicks_need_no_queue),
	CASE(kicks_beside_shots_need_no_queue),
	CASE(stray_signal_is_ignored),
	CASE(no_signal_of_the_programs_is_taken),
	CASE(reading_a_clock_is_no_mode_switch),
	{NULL, NULL},
};
