/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: what Linux sees of a task, and what a task keeps of Linux. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct suite_task task;
static _Atomic bool over;
static _Atomic unsigned running, handled;
static struct {
	void *owner;
	pid_t tid;
	uintptr_t stack;
	int reason;
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
	/* Preempted on the CPU, then moved by a call out of the preempted code's frame. */
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

static __thread unsigned own;

static void keep_own(void *arg)
{
	unsigned mine = (unsigned)(uintptr_t)arg;

	own = mine;
	for (unsigned i = 0; i < 200; i++) {
		errno = (int)mine;
		suite_yield();
		expect("own variable", mine + i, own);
		expect("own errno", mine, errno);
		if (i % 10 == 0) {
			char *memory = malloc(1000 + i);

			memset(memory, 1, 1000 + i);
			getppid();
			free(memory);
			suite_harden();
		}
		own++;
	}
}

static void full_tasks_have_their_own_storage(void)
{
	struct suite_task tasks[4];

	suite_start(1);
	for (unsigned i = 0; i < 4; i++)
		suite_task_start(&tasks[i], 0, true, keep_own, (void *)(uintptr_t)(i * 1000 + 1));
	for (unsigned i = 0; i < 4; i++)
		suite_task_join(&tasks[i]);
	suite_stop();
}

/* A light task's storage is in place when the CPU goes over to the adopted thread. */
static void sleep_lightly(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 50; i++)
		suite_sleep_until(hal_now_ns() + 20000);
}

static void adopted_thread_keeps_its_storage(void)
{
	struct suite_task light;

	suite_start(1);
	own = 7;
	suite_adopt(&task, 0);
	for (unsigned i = 0; i < 20; i++) {
		suite_task_start(&light, 0, false, sleep_lightly, NULL);
		suite_harden();
		suite_sleep_until(hal_now_ns() + 50000);
		expect("own variable", 7 + i, own);
		own++;
		suite_relax();
		expect("own variable", 8 + i, own);
		suite_task_join(&light);
	}
	suite_release(&task);
	suite_stop();
	expect_true("no fault", !task.fault.cause);
}

static void fault_when_adopted(void *arg)
{
	suite_start(1);
	suite_adopt(arg, 0);
	suite_harden();
	back_end_fault(HAL_FAULT_MEMORY);
}

/* The first thread's task was stopped for good: the program must still end by SIGTERM. */
static void program_whose_first_thread_was_stopped_can_be_ended(void)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		fault_when_adopted(&task);
		_exit(0);
	}
	hal_linux_pause(300000000);
	kill(child, SIGTERM);
	for (unsigned i = 0; i < 100 && !waitpid(child, &status, WNOHANG); i++)
		hal_linux_pause(20000000);
	kill(child, SIGKILL);
	expect_true("ended by SIGTERM", WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
}

static void *be_nobody(void *arg)
{
	(void)arg;
	expect_true("on no CPU", hal_enter() == NULL);
	expect_true("no task", hal_shadow_owner() == NULL);
	expect_true("still none", hal_shadow_owner() == NULL && !hal_stalled());
	return NULL;
}

static void create_thread(void *arg)
{
	pthread_t thread;

	(void)arg;
	expect("pthread_create", 0, pthread_create(&thread, NULL, be_nobody, NULL));
	pthread_join(thread, NULL);
	expect_true("and I am myself", suite_self() == &task);
}

static void thread_of_a_task_is_not_the_task(void)
{
	suite_start(1);
	suite_task_start(&task, 0, true, create_thread, NULL);
	suite_task_join(&task);
	suite_stop();
}

static void expect_scheduling(const char *what, int policy, int priority)
{
	pid_t tid = (pid_t)hal_shadow_tid(task.shadow);
	struct sched_param parameter;

	expect(what, policy, sched_getscheduler(tid));
	sched_getparam(tid, &parameter);
	expect(what, priority, parameter.sched_priority);
}

static void shadow_has_its_priority(void)
{
	if (geteuid())
		skip("not root");
	suite_start(1);
	expect("hal_shadow_create", 0, hal_shadow_create(&task.shadow, &task, 7, "a name"));
	expect_scheduling("created", SCHED_FIFO, 7);
	hal_shadow_set_priority(task.shadow, 20);
	expect_scheduling("raised", SCHED_FIFO, 20);
	hal_shadow_set_priority(task.shadow, 0);
	expect_scheduling("ordinary", SCHED_OTHER, 0);
	hal_shadow_destroy(task.shadow);

	expect("hal_shadow_adopt", 0, hal_shadow_adopt(&task.shadow, &task, 9));
	expect_scheduling("adopted", SCHED_FIFO, 9);
	expect("tid", gettid(), hal_shadow_tid(task.shadow));
	hal_shadow_release(task.shadow);
	expect("released", SCHED_OTHER, sched_getscheduler(0));
	suite_stop();
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

/* Every thread of the program must take part, dispatchers and shadows of running tasks too. */
static void setgid_reaches_every_thread(void)
{
	struct suite_task light;

	suite_start(1);
	suite_task_start(&task, 0, true, compute, NULL);
	await("running", &running, 1);
	suite_task_start(&light, 0, false, compute, NULL);
	for (unsigned i = 0; i < 50; i++)
		expect("setgid", 0, setgid(getgid()));
	atomic_store(&over, true);
	suite_task_join(&light);
	suite_task_join(&task);
	suite_stop();
}

static void print_and_look(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 20; i++) {
		printf("# task prints %u\n", i);
		fflush(stdout);
		expect_true("a CPU is told", sched_getcpu() >= 0);
		suite_harden();
	}
}

static void library_calls_just_work(void)
{
	suite_start(1);
	suite_task_start(&task, 0, true, print_and_look, NULL);
	suite_task_join(&task);
	suite_stop();
	expect_true("mode switches were seen", atomic_load(&task.linux_calls) >= 20);
}

static void many_shadows_come_and_go(void)
{
	static struct suite_task tasks[50];

	suite_start(1);
	for (unsigned turn = 0; turn < 4; turn++) {
		for (unsigned i = 0; i < 50; i++)
			suite_task_start(&tasks[i], 0, true, keep_own, (void *)(uintptr_t)i);
		for (unsigned i = 0; i < 50; i++)
			suite_task_join(&tasks[i]);
	}
	suite_stop();
}

extern const ptrdiff_t __rseq_offset __attribute__((weak));
extern const unsigned int __rseq_size __attribute__((weak));

static int32_t noted_cpu, asked_cpu;
static unsigned calls_to_ask;

/* The second word of the area is the CPU that the kernel notes; -1: not registered. */
static void ask_for_cpu(void *arg)
{
	unsigned before = atomic_load(&task.linux_calls);

	(void)arg;
	noted_cpu = *(volatile int32_t *)((char *)__builtin_thread_pointer() + __rseq_offset + 4);
	asked_cpu = sched_getcpu();
	calls_to_ask = atomic_load(&task.linux_calls) - before;
}

static void task_has_no_restartable_area(void)
{
	if (!&__rseq_size || !__rseq_size)
		skip("this C library registers none");
	suite_start(1);
	suite_task_start(&task, 0, true, ask_for_cpu, NULL);
	suite_task_join(&task);
	expect_true("the shadow's CPU is not noted", noted_cpu < 0);
	/* Answered in place it is the real-time CPU, by a call it would be the shadow's. */
	if (!calls_to_ask)
		expect("sched_getcpu", suite_cpus[0].hal.linux_cpu, asked_cpu);
	suite_stop();
}

const struct suite_case cases_thread_shadow[] = {
	CASE(adopted_thread_keeps_its_storage),
	CASE(program_whose_first_thread_was_stopped_can_be_ended),
	CASE(signal_comes_to_a_computing_task),
	CASE(signal_comes_to_a_sleeping_task),
	CASE(blocked_signal_disturbs_nobody),
	CASE(masks_belong_to_threads),
	CASE(full_tasks_have_their_own_storage),
	CASE(thread_of_a_task_is_not_the_task),
	CASE(shadow_has_its_priority),
	CASE(mode_switch_is_told_by_signal),
	CASE(setgid_reaches_every_thread),
	CASE(library_calls_just_work),
	CASE(many_shadows_come_and_go),
	CASE(task_has_no_restartable_area),
	{NULL, NULL},
};
