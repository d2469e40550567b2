/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A task that faults is named in a report and ended; the rest of the program continues. Reports go
 * to the diagnostic output, which each case reads back from a file.
 */
#include "test.h"

#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char report[8192];

static void bystander(void *arg)
{
	int *rounds = arg;

	for (*rounds = 0; *rounds < 20; ++*rounds)
		expect_ok(tact_task_sleep(TEST_MS / 2));
}

/* Run the culprit beside a bystander on the same CPU; it has to end by a fault. */
static void stopped(void (*culprit)(void *), uint32_t flags, const char *word)
{
	struct tact_task_attr attr = {.name = "culprit", .priority = 30, .flags = flags};
	struct tact_cpu_info before = {0};
	struct tact_cpu_info after = {0};
	tact_task_t other;
	tact_task_t task;
	int rounds;

	capture_reports();
	expect_ok(tact_cpu_inquire(0, &before));
	other = test_spawn(10, bystander, &rounds);
	expect_ok(tact_task_spawn(&attr, culprit, NULL, &task));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	test_join(other);
	expect_eq(rounds, 20);
	expect_ok(tact_cpu_inquire(0, &after));
	expect_eq(after.faults, before.faults + 1);
	expect_report("task \"culprit\"");
	expect_report(word);
	/* The name and the place are free again. */
	expect_ok(tact_task_create(&attr, &task));
	expect_ok(tact_task_delete(task));
}

static char *nowhere;

static void write_nowhere(void *arg)
{
	(void)arg;
	nowhere[64] = 1;
}

TEST(memory_fault_of_a_full_task)
{
	stopped(write_nowhere, 0, "memory fault at 0x40");
}

TEST(memory_fault_of_a_light_task)
{
	stopped(write_nowhere, TACT_TASK_LIGHT, "memory fault at 0x40");
}

/* Each has a frame of its own. */
static __attribute__((noinline)) void write_deep(int depth)
{
	if (depth)
		write_deep(depth - 1);
	else
		write_nowhere(NULL);
	nowhere = NULL;
}

static void write_below(void *arg)
{
	write_deep(3);
	nowhere = arg;
}

TEST(backtrace_of_a_fault_goes_through_its_callers)
{
	stopped(write_below, 0, "memory fault at 0x40");
	expect_frame(write_deep);
	expect_frame(write_below);
	stopped(write_below, TACT_TASK_LIGHT, "memory fault at 0x40");
	expect_frame(write_deep);
	expect_frame(write_below);
}

static void break_off(void *arg)
{
	(void)arg;
	__asm__ volatile("int3");
}

TEST(breakpoint_without_a_debugger)
{
	stopped(break_off, 0, "breakpoint");
}

static void relax_and_write(void *arg)
{
	expect_ok(tact_task_relax());
	write_below(arg);
}

TEST(fault_of_a_task_in_secondary_mode)
{
	if (test_on_sim())
		test_skip("virtual time: a Linux thread's fault is the simulation's own");
	stopped(relax_and_write, 0, "stopped in secondary mode: memory fault at 0x40");
	expect_frame(relax_and_write);
}

static int zero;

/* The sanitizer would end the program for what is done here on purpose. */
__attribute__((no_sanitize("undefined"))) static void divide(void *arg)
{
	(void)arg;
	zero = 100 / zero;
}

TEST(division_by_zero)
{
	stopped(divide, 0, "arithmetic fault");
}

static void trap(void *arg)
{
	(void)arg;
	__builtin_trap();
}

TEST(illegal_instruction)
{
	stopped(trap, TACT_TASK_LIGHT, "illegal instruction");
}

static int __attribute__((noinline)) recurse(int depth)
{
	volatile char frame[512];

	frame[depth % 512] = (char)depth;
	return depth ? recurse(depth + 1) + frame[0] : 0;
}

static void overrun(void *arg)
{
	(void)arg;
	zero = recurse(1);
}

TEST(stack_overrun_of_a_full_task)
{
	stopped(overrun, 0, "stack overrun");
}

TEST(stack_overrun_of_a_light_task)
{
	stopped(overrun, TACT_TASK_LIGHT, "stack overrun");
}

static tact_mutex_t mutex;

static void fault_as_owner(void *arg)
{
	(void)arg;
	expect_ok(tact_mutex_lock(mutex, TACT_FOREVER));
	nowhere[1] = 1;
}

static void inherit(void *arg)
{
	(void)arg;
	expect_error(tact_mutex_lock(mutex, TEST_LONG), TACT_EOWNERDEAD);
	expect_ok(tact_mutex_consistent(mutex));
	expect_ok(tact_mutex_unlock(mutex));
}

TEST(mutex_of_a_faulted_task_is_handed_on)
{
	capture_reports();
	expect_ok(tact_mutex_create(NULL, 0, 0, &mutex));
	expect_eq(tact_task_join(test_spawn(10, fault_as_owner, NULL), TEST_LONG), 1);
	test_join(test_spawn(10, inherit, NULL));
	expect_report("memory fault");
}

static volatile unsigned rounds_made;

/* Neither inlined nor left by a jump: each has a frame of its own. */
static __attribute__((noinline)) void compute_on(void)
{
	/* Asked beforehand: while a function without a frame runs, its caller's is not seen. */
	bool in_virtual_time = test_on_sim();

	for (;;) {
		rounds_made++;
		/* Virtual time goes by in calls only. */
		if (in_virtual_time)
			tact_compute(TEST_MS);
	}
}

static void never_yield(void *arg)
{
	(void)arg;
	compute_on();
	rounds_made = 0;
}

/* It is looked at as it calls: what cannot be had at once, and so never waits. */
static void never_wait(void *arg)
{
	for (;;) {
		expect_error(tact_sem_wait(*(tact_sem_t *)arg, TACT_NOWAIT), TACT_EAGAIN);
		tact_compute(TEST_MS);
	}
}

static void bitten(void (*culprit)(void *), void *arg, uint32_t flags)
{
	struct tact_task_attr attr = {.name = "hog", .priority = 30, .flags = flags};
	tact_task_t task;

	capture_reports();
	expect_ok(tact_task_spawn(&attr, culprit, arg, &task));
	expect_eq(tact_task_join(task, TEST_LONG), 1);
	expect_report("task \"hog\"");
	expect_report("kept its CPU too long, ip 0x");
	expect_frame(culprit);
}

TEST_UNSTARTED(watchdog_stops_a_task_that_never_lets_go_and_tells_where)
{
	struct tact_config config = {.name = "test", .watchdog_ms = 300};
	struct tact_cpu_info info = {0};
	tact_timer_t timer;
	tact_sem_t sem;

	expect_ok(test_start(&config, NULL));
	expect_ok(tact_sem_create(NULL, 0, 1, 0, &sem));
	bitten(never_yield, NULL, 0);
	expect_frame(compute_on);
	bitten(never_yield, NULL, TACT_TASK_LIGHT);
	expect_frame(compute_on);
	bitten(never_wait, &sem, 0);
	capture_reports();
	expect_ok(tact_timer_create("brake", never_yield, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	test_join(test_spawn(10, bystander, &(int){0}));
	expect_report("handler of \"brake\"");
	expect_frame(compute_on);
	expect_frame(never_yield);
	expect_ok(tact_cpu_inquire(0, &info));
	expect_eq(info.watchdog_hits, 4);
	expect_ok(tact_stop());
}

static _Atomic int told; /* the cause, by the signal */

static void tell(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	told = info->si_value.sival_int;
}

static _Atomic int went_on;

static void compute_until_told(void *arg)
{
	(void)arg;
	while (!told)
		;
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	expect_ok(tact_task_harden());
	went_on = 1;
}

TEST_UNSTARTED(watchdog_tells_a_full_task_where_that_is_asked_for)
{
	const struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
	struct tact_config config = {.name = "test", .watchdog_ms = 300, .watchdog_signals = 1};
	struct tact_task_attr attr = {.name = "hog", .priority = 30};
	struct tact_cpu_info info = {0};
	tact_task_t task;

	if (test_on_sim())
		test_skip("no signals in virtual time");
	expect_ok(sigaction(SIGXCPU, &action, NULL));
	expect_ok(test_start(&config, NULL));
	capture_reports();
	expect_ok(tact_task_spawn(&attr, compute_until_told, NULL, &task));
	expect_ok(tact_task_join(task, TEST_LONG));
	expect_eq(went_on, 1);
	expect_eq(told, TACT_SWITCH_WATCHDOG);
	expect_report("task \"hog\"");
	expect_report("continues in secondary mode: kept its CPU too long");
	/* A task that may not go there is stopped. */
	bitten(never_yield, NULL, TACT_TASK_NO_LINUX);
	bitten(never_yield, NULL, TACT_TASK_LIGHT);
	expect_ok(tact_cpu_inquire(0, &info));
	expect_eq(info.watchdog_hits, 3);
	expect_ok(tact_stop());
}

static void fault_as_light(void *arg)
{
	(void)arg;
	nowhere[1] = 1;
}

static char *closed; /* an inaccessible page */
static _Atomic int mended;
static sigjmp_buf way_out;

static void close_page(void)
{
	expect_ok(mprotect(closed, 4096, PROT_NONE));
}

static void open_page(int number)
{
	(void)number;
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	expect_ok(mprotect(closed, 4096, PROT_READ | PROT_WRITE));
	mended++;
}

static void touch_closed(void *arg)
{
	(void)arg;
	expect_ok(tact_task_set_flags(TACT_SELF, TACT_TASK_SIGNAL, 0));
	expect_eq(tact_mode(), TACT_MODE_PRIMARY);
	*closed = 7;
	expect_eq(mended, 1);
	expect_eq(told, TACT_SWITCH_FAULT);
	expect_eq(*closed, 7);
	/* There, too. */
	close_page();
	*closed = 8;
	expect_eq(mended, 2);
	expect_eq(tact_mode(), TACT_MODE_SECONDARY);
	expect_ok(tact_task_harden());
	expect_eq(*closed, 8);
}

static void leave_by_a_jump(int number)
{
	(void)number;
	siglongjmp(way_out, 1);
}

static void jump_out(void *arg)
{
	(void)arg;
	for (int i = 0; i < 20; i++) {
		expect_ok(tact_task_harden());
		if (!sigsetjmp(way_out, 1))
			*closed = 9;
		mended++;
	}
}

static void start_with_handler(void (*handler)(int number))
{
	const struct sigaction action = {.sa_handler = handler};
	const struct sigaction tells = {.sa_sigaction = tell, .sa_flags = SA_SIGINFO};
	struct tact_config config = {.name = "test", .program_faults = 1};

	if (test_on_sim())
		test_skip("faults are told by the back end");
	closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	expect_true(closed != MAP_FAILED);
	expect_ok(sigaction(SIGSEGV, &action, NULL));
	expect_ok(sigaction(SIGXCPU, &tells, NULL));
	expect_ok(test_start(&config, NULL));
}

TEST_UNSTARTED(fault_that_the_program_handles_is_its_own)
{
	start_with_handler(open_page);
	test_join(test_spawn(30, touch_closed, NULL));
	expect_eq(mended, 2);
	expect_ok(tact_stop());
}

static void count_breakpoint(int number)
{
	expect_eq(number, SIGTRAP);
	mended++;
}

static void stop_at_breakpoints(void *arg)
{
	(void)arg;
	for (int i = 0; i < 3; i++) {
		expect_ok(tact_task_harden());
#ifdef __x86_64__
		__asm__ volatile("int3" ::: "memory");
		expect_eq(mended, 2 * i + 1);
		expect_ok(tact_task_harden());
		__asm__ volatile(".byte 0xcd, 3" ::: "memory");
#else
		expect_ok(raise(SIGTRAP));
		expect_eq(mended, 2 * i + 1);
		expect_ok(raise(SIGTRAP));
#endif
		expect_eq(mended, 2 * i + 2);
	}
}

/* A breakpoint is told when its instruction has been executed, so it does not come again by
 * itself in secondary mode. */
TEST_UNSTARTED(breakpoint_that_the_program_handles_is_told_once)
{
	const struct sigaction action = {.sa_handler = count_breakpoint};

	expect_ok(sigaction(SIGTRAP, &action, NULL));
	start_with_handler(open_page);
	test_join(test_spawn(30, stop_at_breakpoints, NULL));
	expect_eq(mended, 6);
	expect_ok(tact_stop());
}

TEST_UNSTARTED(handler_of_a_fault_may_jump)
{
	start_with_handler(leave_by_a_jump);
	test_join(test_spawn(30, jump_out, NULL));
	expect_eq(mended, 20);
	expect_ok(tact_stop());
}

TEST_UNSTARTED(fault_of_who_may_not_go_there_is_told)
{
	start_with_handler(open_page);
	stopped(fault_as_light, TACT_TASK_LIGHT, "memory fault");
	stopped(fault_as_light, TACT_TASK_NO_LINUX, "memory fault");
	expect_eq(mended, 0);
	expect_ok(tact_stop());
}

static void fault_in_handler(void *arg)
{
	/* It is no task, so there is nothing to bring back. */
	expect_error(tact_task_harden(), TACT_EPERM);
	write_nowhere(arg);
}

TEST(handler_that_faults_is_named_by_its_timer)
{
	tact_timer_t timer;

	capture_reports();
	expect_ok(tact_timer_create("brake", fault_in_handler, NULL, 0, &timer));
	expect_ok(tact_timer_start(timer, tact_in(TEST_MS), 0));
	test_join(test_spawn(10, bystander, &(int){0}));
	expect_report("handler of \"brake\"");
	expect_report("memory fault at 0x40");
	expect_ok(tact_timer_delete(timer));
}

TEST_UNSTARTED(program_stops_with_the_record_where_that_is_the_policy)
{
	struct tact_config config = {.name = "test", .fault = TACT_FAULT_STOP_PROGRAM};
	int pipes[2];
	ssize_t bytes;
	pid_t pid;
	int status;

	expect_ok(pipe(pipes));
	pid = fork();
	if (!pid) {
		dup2(pipes[1], STDERR_FILENO);
		if (!test_start(&config, NULL))
			(void)tact_task_join(test_spawn(10, write_nowhere, NULL), TEST_LONG);
		_exit(0);
	}
	close(pipes[1]);
	bytes = read(pipes[0], report, sizeof(report) - 1);
	expect_true(bytes > 0);
	report[bytes] = '\0';
	if (!strstr(report, "memory fault"))
		test_fail(__FILE__, __LINE__, "report: actual \"%s\"", report);
	expect_eq(waitpid(pid, &status, 0), pid);
	/* Where time is virtual, each such end has the same status. */
	if (!test_on_sim())
		expect_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}
