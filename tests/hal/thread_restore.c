/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: changes of the machine are undone, whichever process dies. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

#ifndef SCHED_DEADLINE
#define SCHED_DEADLINE 6
#endif

#define RT_RUNTIME "/proc/sys/kernel/sched_rt_runtime_us"

long thread_rt_runtime_us(void)
{
	long value = 0;
	FILE *file = fopen(RT_RUNTIME, "re");

	if (file && fscanf(file, "%ld", &value) != 1)
		value = 0;
	if (file)
		fclose(file);
	return value;
}

/* Another program of this machine may rely on lifted throttling; then it remains lifted. */
static bool others_rely(void)
{
	int members = open("/run/tactus/settings.members", O_RDWR | O_CLOEXEC);
	bool others = members >= 0 && flock(members, LOCK_EX | LOCK_NB);

	if (members >= 0)
		close(members);
	return others;
}

static void expect_setting(const char *what, long expected)
{
	if (thread_rt_runtime_us() == expected)
		return;
	if (others_rely())
		skip("another program has lifted RT throttling");
	printf("# what was there before is %s\n",
	       access("/run/tactus/settings.former", F_OK) ? "noted no more" : "still noted");
	expect(what, expected, thread_rt_runtime_us());
}

static void await_setting(const char *what, long expected)
{
	for (unsigned i = 0; i < 5000 && thread_rt_runtime_us() != expected; i++)
		hal_linux_pause(1000000);
	expect_setting(what, expected);
}

/* Two programs that really spin on one CPU would not let each other start. */
static void pretend_to_spin(struct suite_cpu *cpu)
{
	(void)cpu;
	hal_linux_pause(1000000);
}

/*
 * A program whose idle policy is to spin lifts RT throttling. It writes a byte then, and waits to
 * be killed, or for the order to stop or to exit.
 */
static pid_t start_spinner(int *say)
{
	struct hal_config config = suite_config(1);
	int ends[2];
	pid_t child;
	char byte = 0;

	/* Both directions: the program reads and writes one end, the test the other. */
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
		exit(1);
	child = suite_fork();
	if (!child) {
		config.idle = HAL_IDLE_SPIN;
		config.share = true; /* with another spinner, in one of the cases */
		suite_start_with(&config);
		suite_cpus[0].on_idle = pretend_to_spin;
		hal_kick(&suite_cpus[0].hal);
		await("pretends", &suite_cpus[0].idles, 2);
		if (write(ends[1], "r", 1) != 1)
			_exit(1);
		if (read(ends[1], &byte, 1) < 0 || (byte != 's' && byte != 'e'))
			pause();
		if (byte == 'e')
			_exit(hal_exit() ? 0 : 1);
		suite_stop();
		_exit(0);
	}
	if (read(ends[0], &byte, 1) != 1 || byte != 'r')
		expect_true("the program runs", false);
	*say = ends[0];
	return child;
}

void thread_needs_throttling(void)
{
	if (geteuid() || access(RT_RUNTIME, W_OK))
		skip("RT throttling is not ours to lift");
	if (back_end_cpus() < 2)
		skip("one CPU");
	if (thread_rt_runtime_us() < 0)
		skip("RT throttling is off already, by another program or by the user");
}

static void throttling_is_restored_after_kill(void)
{
	long former;
	pid_t program;
	int say;

	thread_needs_throttling();
	former = thread_rt_runtime_us();
	program = start_spinner(&say);
	expect("lifted", -1, thread_rt_runtime_us());
	kill(program, SIGKILL);
	waitpid(program, NULL, 0);
	await_setting("restored", former);
}

/* The next program may read it at once. */
static void throttling_is_restored_at_the_exit(void)
{
	long former;
	pid_t program;
	int say, status;

	thread_needs_throttling();
	former = thread_rt_runtime_us();
	program = start_spinner(&say);
	expect("lifted", -1, thread_rt_runtime_us());
	expect("told", 1, write(say, "e", 1));
	waitpid(program, &status, 0);
	expect("exit status", 0, status);
	expect_setting("restored", former);
}

/* A process with a share of its CPU that Linux grants only while throttling is lifted; it uses none
 * of it. */
static pid_t start_greedy(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime_ns, deadline_ns, period_ns;
	} attributes = {.size = sizeof(attributes),
			.policy = SCHED_DEADLINE,
			.runtime_ns = 99000000,
			.deadline_ns = 100000000,
			.period_ns = 100000000};
	int ends[2];
	pid_t child;
	char byte;

	if (pipe(ends))
		exit(1);
	child = suite_fork();
	if (!child) {
		if (syscall(SYS_sched_setattr, 0, &attributes, 0) || write(ends[1], "r", 1) != 1)
			_exit(1);
		pause();
		_exit(0);
	}
	close(ends[1]);
	if (read(ends[0], &byte, 1) != 1) {
		waitpid(child, NULL, 0);
		child = 0;
	}
	close(ends[0]);
	return child;
}

/* how: the order that it gets; 0: it is killed. */
static void end_while_linux_refuses(char how)
{
	long former, cpus = sysconf(_SC_NPROCESSORS_ONLN);
	pid_t program, greedy[8];
	bool refused;
	int count, say;

	thread_needs_throttling();
	if (cpus > 8)
		skip("too many CPUs to be greedy on");
	former = thread_rt_runtime_us();
	program = start_spinner(&say);
	for (count = 0; count < cpus && (greedy[count] = start_greedy()); count++)
		;
	if (how)
		expect("told", 1, write(say, &how, 1));
	else
		kill(program, SIGKILL);
	waitpid(program, NULL, 0);
	hal_linux_pause(100000000);
	refused = thread_rt_runtime_us() < 0;
	for (int i = 0; i < count; i++) {
		kill(greedy[i], SIGKILL);
		waitpid(greedy[i], NULL, 0);
	}
	await_setting("restored", former);
	if (!refused)
		skip("Linux refuses nothing here");
}

static void throttling_is_restored_when_linux_lets_it(void)
{
	end_while_linux_refuses(0);
}

static void throttling_is_restored_when_linux_lets_it_after_a_stop(void)
{
	end_while_linux_refuses('s');
}

static void throttling_is_restored_when_linux_lets_it_after_an_exit(void)
{
	end_while_linux_refuses('e');
}

static void throttling_is_restored_by_the_last_program(void)
{
	pid_t programs[2];
	int say[2];
	long former;

	thread_needs_throttling();
	former = thread_rt_runtime_us();
	for (unsigned i = 0; i < 2; i++)
		programs[i] = start_spinner(&say[i]);
	kill(programs[0], SIGKILL);
	waitpid(programs[0], NULL, 0);
	hal_linux_pause(100000000);
	expect("kept for the other", -1, thread_rt_runtime_us());
	kill(programs[1], SIGKILL);
	waitpid(programs[1], NULL, 0);
	await_setting("restored", former);
}

static void throttling_is_restored_at_stop(void)
{
	struct hal_config config = suite_config(1);
	long former;

	thread_needs_throttling();
	former = thread_rt_runtime_us();
	config.idle = HAL_IDLE_SPIN;
	suite_start_with(&config);
	expect("lifted", -1, thread_rt_runtime_us());
	suite_stop();
	expect_setting("restored", former);

	config.options = "throttling=leave";
	suite_start_with(&config);
	expect_setting("left alone", former);
	suite_stop();
}

/* The process that holds a pidfd of the program. */
static pid_t find_guardian(pid_t program)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while (!found && processes && (entry = readdir(processes))) {
		char path[600], line[128];

		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		FILE *file = fopen(path, "re");
		bool guardian = file && fgets(line, sizeof(line), file) &&
				!strncmp(line, "tactus-guardian", 15);

		if (file)
			fclose(file);
		for (int fd = 0; guardian && fd < 1024 && !found; fd++) {
			int pid;

			snprintf(path, sizeof(path), "/proc/%s/fdinfo/%d", entry->d_name, fd);
			file = fopen(path, "re");
			while (file && fgets(line, sizeof(line), file))
				if (sscanf(line, "Pid: %d", &pid) == 1 && pid == program)
					found = (pid_t)atoi(entry->d_name);
			if (file)
				fclose(file);
		}
	}
	if (processes)
		closedir(processes);
	return found;
}

/* A program whose guardian is killed. former: the setting before. */
static pid_t start_unguarded(long *former, int *say)
{
	pid_t program, guardian;

	thread_needs_throttling();
	*former = thread_rt_runtime_us();
	program = start_spinner(say);
	guardian = find_guardian(program);
	expect_true("there is a guardian", guardian > 0);
	if (guardian > 0)
		kill(guardian, SIGKILL);
	return program;
}

static void next_start_repairs_when_the_guardian_died_too(void)
{
	long former;
	int say;
	pid_t program = start_unguarded(&former, &say);

	kill(program, SIGKILL);
	waitpid(program, NULL, 0);
	hal_linux_pause(50000000);
	if (thread_rt_runtime_us() == former)
		skip("another program has started meanwhile");
	suite_start(1);
	expect_setting("the next start did", former);
	suite_stop();
}

static void program_restores_when_the_guardian_died(void)
{
	long former;
	int say;
	pid_t program = start_unguarded(&former, &say);

	expect("told to stop", 1, write(say, "s", 1));
	waitpid(program, NULL, 0);
	expect_setting("restored", former);
}

const struct suite_case cases_thread_restore[] = {
	CASE(throttling_is_restored_after_kill),
	CASE(throttling_is_restored_at_the_exit),
	CASE(throttling_is_restored_when_linux_lets_it),
	CASE(throttling_is_restored_when_linux_lets_it_after_a_stop),
	CASE(throttling_is_restored_when_linux_lets_it_after_an_exit),
	CASE(throttling_is_restored_by_the_last_program),
	CASE(throttling_is_restored_at_stop),
	CASE(next_start_repairs_when_the_guardian_died_too),
	CASE(program_restores_when_the_guardian_died),
	{NULL, NULL},
};
