/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SCHED_DEADLINE: accepted parameters and reported ones, a yield waits for the period, a runtime is
 * enforced and an overrun reported, and which threads may be made. */
#include "check.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS    1000000u
#define RESET 1u /* SCHED_FLAG_RESET_ON_FORK */
#define TELL  4u /* SCHED_FLAG_DL_OVERRUN */

/* 0 or the error number. */
static int set(uint32_t policy, uint64_t flags, uint64_t runtime, uint64_t deadline,
	       uint64_t period)
{
	struct attributes given = {.size = sizeof(given), .policy = policy, .flags = flags};

	given.runtime = runtime;
	given.deadline = deadline;
	given.period = period;
	return syscall(SYS_sched_setattr, 0, &given, 0) ? errno : 0;
}

static int set_policy(uint32_t policy, uint32_t priority)
{
	struct attributes given = {.size = sizeof(given), .policy = policy, .priority = priority};

	return syscall(SYS_sched_setattr, 0, &given, 0) ? errno : 0;
}

static void show_attributes(void)
{
	struct attributes told = {0};

	SHOW(syscall(SYS_sched_getattr, 0, &told, sizeof(told), 0));
	SHOW(told.policy);
	SHOW(told.flags);
	SHOW(told.priority);
	SHOW(told.runtime);
	SHOW(told.deadline);
	SHOW(told.period);
	SHOW(sched_getscheduler(0));
}

static void *nothing(void *unused)
{
	SHOW(sched_getscheduler(0));
	return unused;
}

/* 0 or the error number; a child that exists nevertheless is waited for. */
static int made(pid_t child)
{
	int error = child < 0 ? errno : 0, status = 0;

	if (child > 0 && (waitpid(child, &status, 0) != child || status))
		return -1;
	return error;
}

static void make_children(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	SHOW(made(child));
	child = vfork();
	if (!child)
		_exit(0);
	SHOW(made(child));
	child = (pid_t)syscall(SYS_fork);
	if (!child)
		_exit(0);
	SHOW(made(child));
}

static void *accepted(void *unused)
{
	struct timespec moment = {0, 2 * MS};
	uint64_t begin;
	pthread_t thread;
	int error;

	(void)unused;
	SHOW(set(SCHED_DEADLINE, 0, 0, 10 * MS, 0));
	SHOW(set(SCHED_DEADLINE, 0, 11 * MS, 10 * MS, 0));
	SHOW(set(SCHED_DEADLINE, 0, 2 * MS, 11 * MS, 10 * MS));
	SHOW(set(SCHED_DEADLINE, 1u << 20, 2 * MS, 10 * MS, 0));
	SHOW(sched_getscheduler(0));
	SHOW(set(SCHED_DEADLINE, 0, 2 * MS, 8 * MS, 10 * MS));
	SHOW(is_task_if_expected());
	show_attributes();
	begin = now_ns(CLOCK_MONOTONIC);
	for (int i = 0; i < 5; i++)
		sched_yield();
	SHOW(now_ns(CLOCK_MONOTONIC) >= begin + 4 * 10 * MS);
	SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &moment, NULL));
	SHOW(pthread_create(&thread, NULL, nothing, NULL));
	make_children();
	SHOW(set(SCHED_DEADLINE, RESET, 1 * MS, 5 * MS, 0));
	SHOW(is_task_if_expected());
	show_attributes();
	error = pthread_create(&thread, NULL, nothing, NULL);
	if (!error)
		joined(thread);
	SHOW(error);
	make_children();
	SHOW(set_policy(SCHED_FIFO, 20));
	SHOW(is_task_if_expected() && sched_getscheduler(0) == SCHED_FIFO);
	SHOW(set(SCHED_DEADLINE, 0, 1 * MS, 5 * MS, 0));
	SHOW(is_task_if_expected() && sched_getscheduler(0) == SCHED_DEADLINE);
	SHOW(set(SCHED_DEADLINE, 0, 6 * MS, 5 * MS, 0));
	SHOW(is_task_if_expected() && sched_getscheduler(0) == SCHED_DEADLINE);
	SHOW(set_policy(SCHED_OTHER, 0));
	SHOW(is_no_task() && sched_getscheduler(0) == SCHED_OTHER);
	return NULL;
}

static _Atomic int told_overruns;

static void note(int signal)
{
	(void)signal;
	told_overruns++;
}

/* 20 ms of processor time, 2 in each period of 20: nine periods have begun before they end, or
 * eight if Linux, which checks at each tick of up to 4 ms, is late by one. */
static void *overrun(void *unused)
{
	uint64_t begin, end;

	SHOW(set(SCHED_DEADLINE, RESET | TELL, 2 * MS, 20 * MS, 0));
	SHOW(is_task_if_expected());
	begin = now_ns(CLOCK_MONOTONIC);
	end = now_ns(CLOCK_THREAD_CPUTIME_ID) + 20 * MS;
	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < end)
		;
	SHOW(now_ns(CLOCK_MONOTONIC) - begin >= 7 * 20 * MS);
	SHOW(set_policy(SCHED_OTHER, 0));
	return unused;
}

static void throttling(void)
{
	struct sigaction action = {.sa_handler = note};
	struct timespec moment = {0, MS};
	sigset_t signals;
	pthread_t thread;

	sigaction(SIGXCPU, &action, NULL);
	sigemptyset(&signals);
	sigaddset(&signals, SIGXCPU);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	thread = other_thread(overrun, NULL);
	pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
	joined(thread);
	/* Linux reports when a tick finds the thread running, which may never happen. Of nine
	 * overruns, some are reported together if this thread does not run between them. */
	for (int i = 0; expected_task() && told_overruns < 2 && i < 5000; i++)
		nanosleep(&moment, NULL);
	SHOW(!expected_task() || told_overruns >= 2);
}

static pthread_barrier_t asked;
static int granted, busy;

static void *ask_for_most(void *unused)
{
	int error = set(SCHED_DEADLINE, RESET, 90 * MS, 100 * MS, 0);

	__atomic_fetch_add(&granted, !error, __ATOMIC_SEQ_CST);
	__atomic_fetch_add(&busy, error == EBUSY, __ATOMIC_SEQ_CST);
	pthread_barrier_wait(&asked);
	return unused;
}

/* All threads together get nine tenths of the CPUs, and no more. */
static void admission(void)
{
	/* Linux gives back the share of a thread when its period ends, not when the thread does. */
	const struct timespec moment = {0, 100 * MS};
	unsigned count = (unsigned)sysconf(_SC_NPROCESSORS_ONLN) + 2;
	pthread_t threads[64];

	if (count > 64)
		return;
	nanosleep(&moment, NULL);
	pthread_barrier_init(&asked, NULL, count);
	for (unsigned i = 0; i < count; i++)
		threads[i] = other_thread(ask_for_most, NULL);
	for (unsigned i = 0; i < count; i++)
		joined(threads[i]);
	SHOW(granted);
	SHOW(busy);
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, accepted, NULL);
	joined(thread);
	joined(fifo_thread(20, accepted, NULL));
	throttling();
	admission();
	return 0;
}
