/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What SIGDEBUG reports to threads that request it, with its reason. */
#include "cobalt_test.h"

#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

static _Atomic int debugged;
static _Atomic unsigned int reason;

static void debug(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	reason = sigdebug_marked(info) ? sigdebug_reason(info) : 99;
	debugged++;
}

static void *be_warned(void *unused)
{
	expect_ok(pthread_setmode_np(0, PTHREAD_WARNSW, NULL));
	(void)syscall(SYS_getppid);
	expect_eq(debugged, 1);
	expect_eq(reason, SIGDEBUG_MIGRATE_SYSCALL);
	cobalt_thread_harden();
	cobalt_thread_relax();
	expect_eq(debugged, 1);
	expect_ok(pthread_setmode_np(PTHREAD_WARNSW, 0, NULL));
	cobalt_thread_harden();
	(void)syscall(SYS_getppid);
	expect_eq(debugged, 1);
	return unused;
}

static void unwanted_switches_raise_sigdebug(void)
{
	const struct sigaction action = {.sa_sigaction = debug, .sa_flags = SA_SIGINFO};
	struct sigaction former;

	expect_ok(sigaction(SIGDEBUG, &action, &former));
	in_task(be_warned, NULL);
	/* Without a handler of its own, the program continues. */
	expect_ok(sigaction(SIGDEBUG, &former, NULL));
	debugged = 1;
	reason = SIGDEBUG_MIGRATE_SYSCALL;
	in_task(be_warned, NULL);
}

static void wait_for_debug(int expected_reason)
{
	expect_eq(debugged, 1);
	expect_eq(reason, expected_reason);
	debugged = 0;
}

static pthread_mutex_t held;
static sem_t empty;

static void *wait_for_linux(void *unused)
{
	pthread_mutex_t private = PTHREAD_MUTEX_INITIALIZER;

	expect_ok(pthread_setmode_np(0, PTHREAD_WARNSW, NULL));
	expect_ok(pthread_mutex_lock(&private));
	expect_ok(pthread_mutex_unlock(&private));
	expect_eq(debugged, 0);
	expect_ok(pthread_mutex_lock(&held));
	wait_for_debug(SIGDEBUG_MIGRATE_PRIOINV);
	expect_ok(pthread_mutex_unlock(&held));
	expect_ok(pthread_setmode_np(PTHREAD_WARNSW, 0, NULL));
	return unused;
}

static void who_waits_for_a_linux_thread_is_told(void)
{
	const struct sigaction action = {.sa_sigaction = debug, .sa_flags = SA_SIGINFO};
	struct sigaction former;
	pthread_mutexattr_t inherit;
	pthread_t task;

	debugged = 0;
	pthread_mutexattr_init(&inherit);
	pthread_mutexattr_setprotocol(&inherit, PTHREAD_PRIO_INHERIT);
	expect_ok(pthread_mutex_init(&held, &inherit));
	expect_ok(sigaction(SIGDEBUG, &action, &former));
	expect_ok(pthread_mutex_lock(&held));
	task = thread_with(SCHED_FIFO, 50, wait_for_linux, NULL);
	until(debugged);
	expect_ok(pthread_mutex_unlock(&held));
	expect_ok(pthread_join(task, NULL));
	expect_ok(sigaction(SIGDEBUG, &former, NULL));
	expect_ok(pthread_mutex_destroy(&held));
}

static void *must_not_wait(void *unused)
{
	const struct timespec delay = {.tv_nsec = 1000};
	const int both = PTHREAD_LOCK_SCHED | PTHREAD_DISABLE_LOCKBREAK;

	expect_ok(pthread_setmode_np(0, both, NULL));
	expect_eq(clock_nanosleep(CLOCK_MONOTONIC, 0, &delay, NULL), EINTR);
	wait_for_debug(SIGDEBUG_LOCK_BREAK);
	expect_errno(sem_wait(&empty), EINTR);
	wait_for_debug(SIGDEBUG_LOCK_BREAK);
	expect_ok(pthread_setmode_np(PTHREAD_DISABLE_LOCKBREAK, 0, NULL));
	expect_ok(clock_nanosleep(CLOCK_MONOTONIC, 0, &delay, NULL));
	expect_ok(pthread_setmode_np(PTHREAD_LOCK_SCHED, 0, NULL));
	expect_eq(debugged, 0);
	return unused;
}

static void who_must_not_wait_is_told(void)
{
	const struct sigaction action = {.sa_sigaction = debug, .sa_flags = SA_SIGINFO};
	struct sigaction former;

	debugged = 0;
	expect_ok(sem_init(&empty, 0, 0));
	expect_ok(sigaction(SIGDEBUG, &action, &former));
	in_task(must_not_wait, NULL);
	expect_ok(sigaction(SIGDEBUG, &former, NULL));
}

static void *do_nothing(void *unused)
{
	return unused;
}

static void threads_want_locked_memory_of_who_listens(void)
{
	const struct sigaction action = {.sa_sigaction = debug, .sa_flags = SA_SIGINFO};
	struct sched_param parameter = {.sched_priority = 10};
	struct sigaction former;
	pthread_attr_t attributes;
	pthread_t thread;

	debugged = 0;
	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	expect_ok(munlockall());
	in_task(do_nothing, NULL);
	expect_ok(sigaction(SIGDEBUG, &action, &former));
	expect_eq(pthread_create(&thread, &attributes, do_nothing, NULL), EINTR);
	wait_for_debug(SIGDEBUG_NOMLOCK);
	expect_ok(pthread_create(&thread, NULL, do_nothing, NULL));
	expect_ok(pthread_join(thread, NULL));
	if (!mlockall(MCL_CURRENT)) {
		expect_ok(pthread_create(&thread, &attributes, do_nothing, NULL));
		expect_ok(pthread_join(thread, NULL));
	}
	expect_ok(sigaction(SIGDEBUG, &former, NULL));
	expect_eq(debugged, 0);
}

static char *closed;

static void open_page(int number)
{
	(void)number;
	expect_ok(mprotect(closed, 4096, PROT_READ | PROT_WRITE));
}

static void *touch_closed(void *unused)
{
	expect_ok(pthread_setmode_np(0, PTHREAD_WARNSW, NULL));
	cobalt_thread_harden();
	*closed = 7;
	wait_for_debug(SIGDEBUG_MIGRATE_FAULT);
	cobalt_thread_harden();
	(void)syscall(SYS_gettid);
	wait_for_debug(SIGDEBUG_MIGRATE_SYSCALL);
	expect_ok(pthread_setmode_np(PTHREAD_WARNSW, 0, NULL));
	cobalt_thread_harden();
	(void)syscall(SYS_gettid);
	expect_eq(debugged, 0);
	return unused;
}

static void who_faults_is_told_and_handles_it(void)
{
	const struct sigaction action = {.sa_sigaction = debug, .sa_flags = SA_SIGINFO};
	struct sigaction former;

	debugged = 0;
	expect_ok(sigaction(SIGDEBUG, &action, &former));
	in_task(touch_closed, NULL);
	expect_ok(sigaction(SIGDEBUG, &former, NULL));
}

static void *compute_until_told(void *unused)
{
	while (!debugged)
		;
	wait_for_debug(SIGDEBUG_WATCHDOG);
	return unused;
}

static void who_computes_for_long_is_told(void)
{
	const struct sigaction action = {.sa_sigaction = debug, .sa_flags = SA_SIGINFO};
	struct sigaction former;
	int seconds = 0;

	expect_ok(cobalt_corectl(_CC_COBALT_GET_WATCHDOG, &seconds, sizeof(seconds)));
	expect_eq(seconds, 1);
	debugged = 0;
	expect_ok(sigaction(SIGDEBUG, &action, &former));
	in_task(compute_until_told, NULL);
	expect_ok(sigaction(SIGDEBUG, &former, NULL));
}

int main(int argc, char **argv)
{
	static const struct test_case cases[] = {
		CASE(unwanted_switches_raise_sigdebug),
		CASE(who_waits_for_a_linux_thread_is_told),
		CASE(who_must_not_wait_is_told),
		CASE(threads_want_locked_memory_of_who_listens),
		CASE(who_computes_for_long_is_told),
		CASE(who_faults_is_told_and_handles_it),
	};

	(void)argc;
	/* It is read before main(). */
	if (!getenv("TACTUS_RUN_WATCHDOG")) {
		expect_ok(setenv("TACTUS_RUN_WATCHDOG", "1", 1));
		(void)execv("/proc/self/exe", argv);
	}
	/* The handler for faults exists before the first real-time thread. */
	closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	(void)signal(SIGSEGV, open_page);
	return run_cases(cases, sizeof(cases) / sizeof(cases[0]));
}
