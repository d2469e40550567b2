/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: what an ordinary user's limits allow, and what the program is told about
 * them. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

static char reason[256];

/*
 * An ordinary user's limit of priorities. Few users, and not even every root, may set a limit for
 * themselves. So the test simulates Linux's answers for a user with this limit; 0: Linux answers.
 */
static rlim_t priority_limit;

int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
	int result = prlimit(0, resource, NULL, limit);

	if (!result && priority_limit && resource == RLIMIT_RTPRIO)
		limit->rlim_cur = priority_limit;
	return result;
}

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *parameter)
{
	if (priority_limit && policy == SCHED_FIFO &&
	    (rlim_t)parameter->sched_priority > priority_limit) {
		errno = EPERM;
		return -1;
	}
	return (int)syscall(SYS_sched_setscheduler, pid, policy, parameter);
}

static void become_nobody(void)
{
	struct rlimit memory = {65536, 65536}, none = {0, 0};

	setrlimit(RLIMIT_MEMLOCK, &memory);
	setrlimit(RLIMIT_RTPRIO, &none);
	if (!geteuid() && (setgid(65534) || setuid(65534)))
		skip("cannot give up root");
}

static void start(void)
{
	struct hal_config config = suite_config(1);

	while (suite_try_start(&config, reason) == -TACT_EBUSY)
		hal_linux_pause(10000000);
}

static void call_linux(void *unused)
{
	(void)unused;
	expect("call", back_end_linux_call_result(), back_end_linux_call());
}

/* A task goes to Linux and back, */
static void work_once(void)
{
	struct suite_task task = {0};

	suite_task_start(&task, 0, true, call_linux, NULL);
	suite_task_join(&task);
}

/* and the CPUs end. */
static void work(void)
{
	work_once();
	suite_stop();
}

static bool has_thread_of(int priority)
{
	DIR *folder = opendir("/proc/self/task");
	struct dirent *entry;
	bool found = false;

	while (folder && (entry = readdir(folder))) {
		struct sched_param parameter = {0};
		pid_t tid = (pid_t)atoi(entry->d_name);

		if (tid && sched_getscheduler(tid) == SCHED_FIFO &&
		    !sched_getparam(tid, &parameter) && parameter.sched_priority == priority)
			found = true;
	}
	closedir(folder);
	return found;
}

/* As high as the limit allows, minus two for the threads that run before the CPUs. */
static void limited_priority_is_used_and_told(void)
{
	static const struct sched_param wanted = {.sched_priority = 50}, none;

	if (sched_setscheduler(0, SCHED_FIFO, &wanted))
		skip("no right to a priority");
	sched_setscheduler(0, SCHED_OTHER, &none);
	priority_limit = 50;
	start();
	expect_true("told", strstr(reason, "SCHED_FIFO only up to 50") != NULL);
	expect_true("and what to allow", strstr(reason, "'rtprio 82'") != NULL);
	expect_true("a CPU's", has_thread_of(48));
	expect_true("the housekeeper's", has_thread_of(50));
	work();
}

/* It runs without promises, and says what it did not get. */
static void unprivileged_program_runs_with_a_notice(void)
{
	become_nobody();
	start();
	expect_true("no SCHED_FIFO", strstr(reason, "SCHED_FIFO") != NULL);
	/* AddressSanitizer claims to lock memory, and does not. */
	expect_true("no locked memory", sanitized() || strstr(reason, "memory is not locked"));
	work();
}

/* The case needs root without a limit of priorities. */
static void need_root_without_a_limit(void)
{
	const struct rlimit none = {0, 0};
	const struct sched_param some = {.sched_priority = 1}, ordinary = {0};

	if (geteuid() || setrlimit(RLIMIT_RTPRIO, &none) ||
	    sched_setscheduler(0, SCHED_FIFO, &some))
		skip("not root, or not quite");
	sched_setscheduler(0, SCHED_OTHER, &ordinary);
}

static void become_another_user(void)
{
	expect("setgid", 0, setgid(65534));
	expect("setuid", 0, setuid(65534));
}

static void expect_priority(const char *what, uint32_t tid, int priority)
{
	struct sched_param parameter = {0};

	sched_getparam((pid_t)tid, &parameter);
	expect(what, priority, parameter.sched_priority);
}

/* Linux lets every user lower priorities, but only some raise them. So they must not be lowered. */
static void priorities_do_not_fall_for_good_when_root_was_given_up(void)
{
	struct suite_task task = {0};

	need_root_without_a_limit();
	start();
	expect("hal_shadow_create", 0, hal_shadow_create(&task.shadow, &task, 20, "a name"));
	hal_shadow_set_priority(task.shadow, 7);
	expect_priority("lowered", hal_shadow_tid(task.shadow), 7);
	hal_shadow_set_priority(task.shadow, 20);
	become_another_user();
	hal_shadow_set_priority(task.shadow, 7);
	expect_priority("not lowered", hal_shadow_tid(task.shadow), 20);
	hal_shadow_destroy(task.shadow, &task.context);
	suite_stop();
}

static void priorities_fall_when_root_is_only_put_aside(void)
{
	struct suite_task task = {0};

	need_root_without_a_limit();
	start();
	expect("hal_shadow_create", 0, hal_shadow_create(&task.shadow, &task, 20, "a name"));
	expect("seteuid", 0, seteuid(65534));
	hal_shadow_set_priority(task.shadow, 7);
	expect_priority("not lowered", hal_shadow_tid(task.shadow), 20);
	expect("seteuid", 0, seteuid(0));
	hal_shadow_set_priority(task.shadow, 5);
	expect_priority("lowered", hal_shadow_tid(task.shadow), 5);
	hal_shadow_set_priority(task.shadow, 20);
	expect_priority("raised", hal_shadow_tid(task.shadow), 20);
	hal_shadow_destroy(task.shadow, &task.context);
	suite_stop();
}

/*
 * Another program also has the CPU, until it is killed or this one ends, which closes the last
 * other end of its line. A signal would not do: this program may be another user by then, and could
 * not send it.
 */
static pid_t begin_sharer(const struct hal_config *config)
{
	int line[2];
	char byte;
	pid_t child;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, line))
		exit(1);
	child = suite_fork();
	if (!child) {
		close(line[0]);
		suite_start_with(config);
		if (write(line[1], "r", 1) == 1)
			(void)!read(line[1], &byte, 1);
		_exit(0);
	}
	close(line[1]);
	if (read(line[0], &byte, 1) != 1)
		skip("another program has the CPU for itself");
	return child;
}

static void await_priority(const char *what, bool there, int priority)
{
	for (int tries = 0; tries < 200 && has_thread_of(priority) != there; tries++)
		hal_linux_pause(20000000);
	expect_true(what, has_thread_of(priority) == there);
}

/* The CPU is as an exclusive one until another program comes, and again after that program has
 * gone. */
static void cpu_that_others_may_share_is_lowered_while_they_do(void)
{
	struct hal_config config = suite_config(1);
	uint32_t cpu = thread_cpu(1);
	pid_t sharer;

	need_root_without_a_limit();
	if (back_end_cpus() < 2)
		skip("one CPU");
	config.linux_cpus = &cpu;
	config.share = true;
	config.idle = HAL_IDLE_SPIN;
	sharer = begin_sharer(&config);
	suite_start_with(&config);
	await_priority("lowered beside another", false, 80);
	work_once();
	kill(sharer, SIGKILL);
	waitpid(sharer, NULL, 0);
	await_priority("raised alone", true, 80);
	work();
}

static void real_time_that_is_required_is_had_or_refused(void)
{
	struct hal_config config = suite_config(1);

	become_nobody();
	config.require = true;
	expect("start", -TACT_EPERM, suite_try_start(&config, reason));
	expect_true("told", strstr(reason, "no SCHED_FIFO, which is required") != NULL);
	config.require = false;
	suite_start_with(&config);
	work();
}

/* A CPU that spins at the lowest priority is raised while this is still allowed. */
static void cpu_that_others_share_stays_up_when_root_was_given_up(void)
{
	struct hal_config config = suite_config(1);
	uint32_t cpu = thread_cpu(1);

	need_root_without_a_limit();
	if (back_end_cpus() < 2)
		skip("one CPU");
	config.linux_cpus = &cpu;
	config.share = true;
	config.idle = HAL_IDLE_SPIN;
	(void)begin_sharer(&config);
	suite_start_with(&config);
	await_priority("lowered", false, 80);
	become_another_user();
	expect_true("raised", has_thread_of(80));
	hal_linux_pause(20000000);
	expect_true("and not lowered", has_thread_of(80));
	work();
}

const struct suite_case cases_thread_rights[] = {
	CASE(limited_priority_is_used_and_told),
	CASE(unprivileged_program_runs_with_a_notice),
	CASE(priorities_do_not_fall_for_good_when_root_was_given_up),
	CASE(priorities_fall_when_root_is_only_put_aside),
	CASE(real_time_that_is_required_is_had_or_refused),
	CASE(cpu_that_others_may_share_is_lowered_while_they_do),
	CASE(cpu_that_others_share_stays_up_when_root_was_given_up),
	{NULL, NULL},
};
