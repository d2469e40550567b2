/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: signals reach a task in its own context, and masks belong to threads. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct suite_task task;
static _Atomic bool over;
static _Atomic unsigned running, handled;
static struct {
	void *owner;
	pid_t tid;
	uintptr_t stack;
	int reason;
	unsigned told;
} in_handler;

static void handle(int signal, siginfo_t *info, void *context)
{
	char here;

	(void)signal;
	(void)context;
	in_handler.owner = hal_shadow_owner();
	in_handler.tid = gettid();
	in_handler.stack = (uintptr_t)&here;
	in_handler.reason = info->si_value.sival_int;
	in_handler.told = atomic_load(&suite_handlers);
	atomic_fetch_add(&handled, 1);
}

static void install(int signal)
{
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO};

	sigaction(signal, &action, NULL);
}

static void send_to_shadow(int signal)
{
	syscall(SYS_tgkill, getpid(), hal_shadow_tid(task.shadow), signal);
}

static void check_handler(pid_t tid)
{
	expect("handled", 1, atomic_load(&handled));
	expect_true("in the task's context", in_handler.owner == &task);
	expect("on the shadow", tid, in_handler.tid);
	expect_true("on the task's stack",
		    in_handler.stack - (uintptr_t)task.stack.base < task.stack.bytes);
}

static void compute(void *arg)
{
	(void)arg;
	atomic_store(&running, 1);
	while (!atomic_load(&over))
		hal_compute(1000);
}

static void signal_comes_to_a_computing_task(void)
{
	suite_start(1);
	install(SIGUSR1);
	suite_task_start(&task, 0, true, compute, NULL);
	await("running", &running, 1);
	send_to_shadow(SIGUSR1);
	await("handled", &handled, 1);
	check_handler((pid_t)hal_shadow_tid(task.shadow));
	atomic_store(&over, true);
	suite_task_join(&task);
	suite_stop();
	expect("upcalls", 1, atomic_load(&task.signals));
	expect("told before its handler", 1, in_handler.told);
	expect_true("of which", atomic_load(&suite_pending) == 1ull << (SIGUSR1 - 1));
}

static void sleep_long(void *arg)
{
	(void)arg;
	atomic_store(&running, 1);
	suite_sleep_until(hal_now_ns() + 3600000000000ull);
	expect_true("in secondary mode", hal_shadow_owner() == &task);
}

static void signal_comes_to_a_sleeping_task(void)
{
	suite_start(1);
	install(SIGUSR1);
	suite_task_start(&task, 0, true, sleep_long, NULL);
	await("running", &running, 1);
	hal_linux_pause(1000000);
	send_to_shadow(SIGUSR1);
	await("handled", &handled, 1);
	check_handler((pid_t)hal_shadow_tid(task.shadow));
	suite_task_join(&task);
	suite_stop();
}

static _Atomic unsigned telling, told;

static void take_time(struct suite_task *of)
{
	(void)of;
	atomic_store(&telling, 1);
	while (!atomic_load(&over))
		hal_linux_pause(1000000);
	hal_linux_pause(50000000);
	atomic_store(&told, 1);
}

/* The task may no longer exist then. So the memory of the task and of the CPUs must remain until
 * then. */
static void stop_waits_for_a_shadow_that_tells(void)
{
	suite_start(1);
	suite_on_signal = take_time;
	install(SIGUSR1);
	expect("hal_shadow_create", 0, hal_shadow_create(&task.shadow, &task, 0, "told"));
	expect_true("not yet", !hal_shadow_may_signal(task.shadow));
	send_to_shadow(SIGUSR1);
	await("telling", &telling, 1);
	hal_shadow_destroy(task.shadow, &task.context);
	expect_true("it tells", hal_shadow_may_signal(task.shadow));
	atomic_store(&over, true);
	suite_stop();
	expect("told", 1, atomic_load(&told));
	expect_true("and has told", !hal_shadow_may_signal(task.shadow));
}

static void block_and_compute(void *arg)
{
	sigset_t set;

	(void)arg;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	suite_harden();
	atomic_store(&running, 1);
	while (!atomic_load(&over))
		hal_compute(1000);
	expect_true("still in primary mode", hal_shadow_owner() == NULL);
	expect("not handled while blocked", 0, atomic_load(&handled));
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	expect("handled when unblocked", 1, atomic_load(&handled));
}

static void blocked_signal_disturbs_nobody(void)
{
	pid_t tid;

	suite_start(1);
	install(SIGUSR1);
	suite_task_start(&task, 0, true, block_and_compute, NULL);
	await("running", &running, 1);
	send_to_shadow(SIGUSR1);
	tid = (pid_t)hal_shadow_tid(task.shadow);
	hal_linux_pause(20000000);
	atomic_store(&over, true);
	suite_task_join(&task);
	suite_stop();
	expect("upcalls", 0, atomic_load(&task.signals));
	check_handler(tid);
}

static uint64_t blocked_signals(uint32_t tid)
{
	char path[64], line[256];
	uint64_t mask = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%u/status", tid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		sscanf(line, "SigBlk: %" SCNx64, &mask);
	if (file)
		fclose(file);
	return mask;
}

static uint64_t mask_in_secondary, mask_after_preemption;

static void look_at_masks(void *arg)
{
	stack_t stack;

	(void)arg;
	getppid();
	mask_in_secondary = blocked_signals((uint32_t)gettid());
	suite_harden();
	/* The task is preempted on the CPU, then moved by a call out of the preempted code's
	 * frame. */
	hal_kick(&suite_cpus[0].hal);
	hal_compute(1000000);
	getppid();
	mask_after_preemption = blocked_signals((uint32_t)gettid());
	sigaltstack(NULL, &stack);
	expect_true("its own fault stack", !(stack.ss_flags & SS_DISABLE));
	suite_harden();
}

static void masks_belong_to_threads(void)
{
	uint64_t before, after;

	suite_start(1);
	suite_task_start(&task, 0, true, look_at_masks, NULL);
	before = blocked_signals((uint32_t)gettid());
	suite_task_join(&task);
	after = blocked_signals((uint32_t)gettid());
	suite_stop();
	expect("the creator's", (int64_t)before, (int64_t)after);
	expect("the task's is its creator's", (int64_t)before, (int64_t)mask_in_secondary);
	expect("after preemption too", (int64_t)before, (int64_t)mask_after_preemption);
}

static void call_after_notice(void *arg)
{
	(void)arg;
	hal_enter();
	hal_shadow_signal(task.shadow, 42);
	hal_leave();
	expect("not in primary mode", 0, atomic_load(&handled));
	getppid();
	expect("in secondary mode", 1, atomic_load(&handled));
}

static void mode_switch_is_told_by_signal(void)
{
	struct hal_config config = suite_config(1);
	pid_t tid;

	config.options = "mode_signal=10";
	install(10);
	suite_start_with(&config);
	suite_task_start(&task, 0, true, call_after_notice, NULL);
	tid = (pid_t)hal_shadow_tid(task.shadow);
	suite_task_join(&task);
	check_handler(tid);
	expect("reason", 42, in_handler.reason);
	suite_stop();
}

static sigjmp_buf out_of_fault;
static uint64_t mask_in_fault;

static void leave_fault(int signal)
{
	(void)signal;
	mask_in_fault = blocked_signals((uint32_t)gettid());
	siglongjmp(out_of_fault, 1);
}

/*
 * The signals that the back end's handler blocks must not stay blocked in the program's handler, or
 * after a jump out of it: with the C library's signal blocked, every setuid() would wait for ever.
 */
static void handler_of_faults_leaves_the_mask_as_linux_does(void)
{
	struct sigaction action = {.sa_handler = leave_fault};
	uint64_t before = blocked_signals((uint32_t)gettid());

	sigaddset(&action.sa_mask, SIGUSR2);
	sigaction(SIGSEGV, &action, NULL);
	suite_start(1);
	if (!sigsetjmp(out_of_fault, 0))
		back_end_fault(HAL_FAULT_MEMORY);
	expect("in the handler", (int64_t)(before | 1ull << (SIGSEGV - 1) | 1ull << (SIGUSR2 - 1)),
	       (int64_t)mask_in_fault);
	expect("after it", (int64_t)mask_in_fault, (int64_t)blocked_signals((uint32_t)gettid()));
	suite_stop();
}

const struct suite_case cases_thread_signal[] = {
	CASE(signal_comes_to_a_computing_task),
	CASE(signal_comes_to_a_sleeping_task),
	CASE(stop_waits_for_a_shadow_that_tells),
	CASE(blocked_signal_disturbs_nobody),
	CASE(masks_belong_to_threads),
	CASE(mode_switch_is_told_by_signal),
	CASE(handler_of_faults_leaves_the_mask_as_linux_does),
	{NULL, NULL},
};
