/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: options, CPUs, privileges, and the messages if a machine lacks something. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"

static struct suite_task task;
static char reason[256];

static void refused(const char *options)
{
	struct hal_config config = suite_config(1);

	config.options = options;
	expect(options, -TACT_EINVAL, suite_try_start(&config, reason));
	expect_true("with a sentence", strlen(reason) > 10);
}

static void accepted(const char *options)
{
	struct hal_config config = suite_config(1);

	config.options = options;
	suite_start_with(&config);
	suite_stop();
}

static void options_are_checked(void)
{
	static char long_options[1000];

	accepted("");
	accepted("shot=auto");
	accepted("shot=posix,memory=leave,power=leave,throttling=leave,mode_signal=12");
	accepted("shot=helper,memory=lock,power=hold,throttling=lift");
	refused("shot=");
	refused("shot");
	refused("shot=now");
	refused("memory=yes");
	refused("power=1");
	refused("throttling=off");
	refused("mode_signal=0");
	refused("mode_signal=65");
	refused("mode_signal=9");
	refused("mode_signal=33");
	refused("mode_signal=12x");
	refused("Shot=auto");
	refused("shot=auto,,memory");
	accepted("gravity=none");
	accepted("gravity=/no/such/file");
	refused("gravity=");
	refused("gravity=file");
	memset(long_options, 'a', sizeof(long_options) - 1);
	refused(long_options);
}

static void bad_cpus_are_refused(void)
{
	struct hal_config config = suite_config(2);
	uint32_t cpus[2] = {thread_cpu(0), thread_cpu(0)};
	uint32_t second = thread_cpu(1);
	cpu_set_t first;

	config.linux_cpus = cpus;
	expect("named twice", -TACT_EINVAL, suite_try_start(&config, reason));
	config.priority = 98;
	expect("priority 98", -TACT_EINVAL, suite_try_start(&config, reason));

	if (back_end_cpus() < 2)
		skip("one CPU");
	CPU_ZERO(&first);
	CPU_SET(thread_cpu(0), &first);
	sched_setaffinity(0, sizeof(first), &first);
	config = suite_config(1);
	cpus[0] = second;
	config.linux_cpus = cpus;
	expect("not allowed", -TACT_EPERM, suite_try_start(&config, reason));
	expect_true("taskset is named", strstr(reason, "taskset") != NULL);
	config = suite_config(2);
	expect("more than allowed", -TACT_EBUSY, suite_try_start(&config, reason));
}

/* The one CPU of the thread of that name, or -1. */
static int affinity_of(const char *thread_name)
{
	char path[64], name[32];
	int found = -1;

	for (int tid = getpid(); tid < getpid() + 200 && found < 0; tid++) {
		cpu_set_t set;
		FILE *file;

		snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
		file = fopen(path, "re");
		if (!file)
			continue;
		if (fgets(name, sizeof(name), file) &&
		    !strncmp(name, thread_name, strlen(thread_name)) &&
		    !sched_getaffinity(tid, sizeof(set), &set))
			for (int cpu = 0; cpu < CPU_SETSIZE && found < 0; cpu++)
				if (CPU_ISSET(cpu, &set) && CPU_COUNT(&set) == 1)
					found = cpu;
		fclose(file);
	}
	return found;
}

static void named_cpu_is_taken(void)
{
	unsigned cpus = back_end_cpus();
	cpu_set_t before, during, after;

	sched_getaffinity(0, sizeof(before), &before);
	for (unsigned i = 0; i < cpus && i < 4; i++) {
		struct hal_config config = suite_config(1);
		uint32_t cpu = thread_cpu(i);

		config.linux_cpus = &cpu;
		suite_start_with(&config);
		expect("linux_cpu", cpu, suite_cpus[0].hal.linux_cpu);
		expect("affinity", cpu, affinity_of("tactus-cpu00"));
		sched_getaffinity(0, sizeof(during), &during);
		expect_true("the caller left that CPU", cpus < 2 || !CPU_ISSET(cpu, &during));
		suite_stop();
		sched_getaffinity(0, sizeof(after), &after);
		expect_true("and is back", CPU_EQUAL(&before, &after));
	}
}

#define PATIENCE 50000

static _Atomic bool over;
static _Atomic unsigned rounds;

static void compute(void *arg)
{
	(void)arg;
	while (!atomic_load(&over)) {
		hal_compute(1000);
		atomic_fetch_add(&rounds, 1);
	}
}

static void wake(void *arg)
{
	(void)arg;
	/* The thread that starts the other one may be delayed for a while. */
	for (unsigned i = 0; i < 100 || (!atomic_load(&rounds) && i < PATIENCE); i++)
		suite_sleep_until(hal_now_ns() + 200000);
	atomic_store(&over, true);
}

static void life(const struct hal_config *config)
{
	struct suite_task sleeper;

	suite_start_with(config);
	suite_task_start(&sleeper, 0, true, wake, NULL);
	suite_task_start(&task, 0, true, compute, NULL);
	suite_task_join(&sleeper);
	suite_task_join(&task);
	suite_stop();
	expect_true("both lived", atomic_load(&rounds) > 0);
}

static void helper_preempts_too(void)
{
	struct hal_config config = suite_config(1);

	config.options = "shot=helper";
	life(&config);
}

static void one_cpu_is_enough(void)
{
	struct hal_config config = suite_config(1);
	cpu_set_t set;

	sched_getaffinity(0, sizeof(set), &set);
	for (int cpu = 0, kept = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set) && kept++)
			CPU_CLR(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
	life(&config);
}

/* A kernel without Syscall User Dispatch: its prctl() knows no option 59. */
static void kernel_without_dispatch_is_refused(void)
{
	struct hal_config config = suite_config(1);
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_prctl, 0, 3),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 59, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 22),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		skip("no seccomp here");
	expect("start", -TACT_ENOSYS, suite_try_start(&config, reason));
	expect_true("what is needed", strstr(reason, "5.11") != NULL);
}

static void lack_of_files_is_told(void)
{
	struct hal_config config = suite_config(1);
	struct rlimit limit = {7, 7};

	setrlimit(RLIMIT_NOFILE, &limit);
	while (dup(0) >= 0 && dup(0) < 5)
		;
	expect("start", -TACT_ENOMEM, suite_try_start(&config, reason));
	expect_true("with a sentence", strlen(reason) > 10);
}

/* The program uses every signal that it can use. */
static void no_signal_of_the_programs_is_needed(void)
{
	struct hal_config config = suite_config(1);

	for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
		signal(number, SIG_IGN);
	life(&config);
}

static _Atomic unsigned signals;

static void count_signal(int signal)
{
	(void)signal;
	atomic_fetch_add(&signals, 1);
}

/* This includes the test of a start whether Linux hands back calls: each handler ends by a call. */
static void signals_disturb_no_start(void)
{
	const struct itimerspec often = {{0, 50000}, {0, 50000}};
	const uint32_t nowhere = CPU_SETSIZE;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
	struct hal_config config = suite_config(1);
	timer_t timer;

	config.linux_cpus = &nowhere;
	signal(SIGUSR1, count_signal);
	expect("timer", 0, timer_create(CLOCK_MONOTONIC, &event, &timer));
	timer_settime(timer, 0, &often, NULL);
	for (unsigned tries = 0; tries < 10000; tries++)
		expect("no such CPU", -TACT_ENXIO, suite_try_start(&config, reason));
	expect_true("disturbed", atomic_load(&signals) > 0);
	timer_delete(timer);
}

const struct suite_case cases_thread_start[] = {
	CASE(options_are_checked),      CASE(bad_cpus_are_refused),
	CASE(named_cpu_is_taken),       CASE(helper_preempts_too),
	CASE(one_cpu_is_enough),        CASE(kernel_without_dispatch_is_refused),
	CASE(lack_of_files_is_told),    CASE(no_signal_of_the_programs_is_needed),
	CASE(signals_disturb_no_start), {NULL, NULL},
};
