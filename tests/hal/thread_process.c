/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thread back end: the process around it: its clock, its stop, its end and its output. */
#define _GNU_SOURCE
#include "thread_cases.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static struct suite_task task;

static void wall_clock_change_is_told(void)
{
	struct timespec now;

	suite_start(1);
	/* Set to its present time: all watches are told of every change. */
	clock_gettime(CLOCK_REALTIME, &now);
	if (clock_settime(CLOCK_REALTIME, &now))
		skip("the wall clock is not ours to set");
	await("told", &suite_wall_changes, 1);
	suite_stop();
}

static void stop_freezes_the_watchdog(void)
{
	_Atomic unsigned *watches =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	unsigned before;
	pid_t child = suite_fork();

	if (!child) {
		suite_start(1);
		for (;;) {
			atomic_store(watches, atomic_load(&suite_watches));
			hal_linux_pause(1000000);
		}
	}
	await("watches", watches, 2);
	kill(child, SIGSTOP);
	waitpid(child, NULL, WUNTRACED);
	before = atomic_load(watches);
	hal_linux_pause(1000000000);
	kill(child, SIGCONT);
	hal_linux_pause(50000000);
	/* Ten periods passed; one may have ended at once, and one since. */
	expect_true("frozen", atomic_load(watches) <= before + 2);
	await("watches after", watches, before + 3);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

static void fault_in_section(void *arg)
{
	(void)arg;
	hal_enter();
	back_end_fault(HAL_FAULT_MEMORY);
}

static void call_in_section(void *arg)
{
	(void)arg;
	hal_enter();
	back_end_linux_call();
}

static void panics(void (*entry)(void *arg), bool full, const char *words)
{
	char text[4096];
	ssize_t got;
	int ends[2], status;
	pid_t child;

	if (pipe(ends))
		exit(1);
	child = suite_fork();
	if (!child) {
		struct rlimit none = {0, 0};

		setrlimit(RLIMIT_CORE, &none);
		dup2(ends[1], 2);
		suite_start(1);
		suite_task_start(&task, 0, full, entry, NULL);
		suite_task_join(&task);
		_exit(0);
	}
	close(ends[1]);
	waitpid(child, &status, 0);
	expect_true("ended by abort", WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	got = read(ends[0], text, sizeof(text) - 1);
	text[got > 0 ? got : 0] = 0;
	expect_true("with a record", strstr(text, "tactus: panic") && strstr(text, words));
}

static void broken_nucleus_ends_the_program_with_a_record(void)
{
	panics(fault_in_section, false, "fault");
	panics(fault_in_section, true, "fault");
	if (sanitized())
		return; /* it may be a call of the sanitizer, and is made */
	panics(call_in_section, false, "Linux call");
	panics(call_in_section, true, "Linux call");
}

static void print_on_cpu(void *arg)
{
	(void)arg;
	hal_enter();
	hal_print("one\n", 4);
	hal_print("two\n", 4);
	hal_leave();
}

static void words_of_a_cpu_come_whole_and_in_order(void)
{
	char text[64] = "";
	int ends[2], former = dup(2);
	size_t got = 0;

	if (pipe(ends))
		exit(1);
	dup2(ends[1], 2);
	suite_start(1);
	suite_task_start(&task, 0, false, print_on_cpu, NULL);
	suite_task_join(&task);
	suite_stop();
	dup2(former, 2);
	close(ends[1]);
	while (got < sizeof(text) - 1) {
		ssize_t more = read(ends[0], text + got, sizeof(text) - 1 - got);

		if (more <= 0)
			break;
		got += (size_t)more;
	}
	expect("bytes", 8, (int64_t)got);
	expect("the words", 0, strcmp(text, "one\ntwo\n"));
}

/* Fill the pipe completely. Returns the number of bytes. */
static size_t fill(int pipe_end)
{
	size_t count = 0;

	fcntl(pipe_end, F_SETFL, O_NONBLOCK);
	while (write(pipe_end, "-", 1) == 1)
		count++;
	fcntl(pipe_end, F_SETFL, 0);
	return count;
}

static void full_pipe_stops_no_watchdog(void)
{
	int ends[2], former = dup(2);
	char text[9] = "", byte;
	unsigned before;
	size_t filled;

	if (pipe(ends))
		exit(1);
	dup2(ends[1], 2);
	suite_start(1);
	filled = fill(ends[1]);
	suite_task_start(&task, 0, false, print_on_cpu, NULL);
	suite_task_join(&task);
	before = atomic_load(&suite_watches);
	await("watches", &suite_watches, before + 3);
	while (filled-- && read(ends[0], &byte, 1) == 1)
		;
	/* Without a message to the housekeeper. */
	expect("first", 4, read(ends[0], text, 4));
	expect("second", 4, read(ends[0], text + 4, 4));
	dup2(former, 2);
	close(ends[1]);
	suite_stop();
	expect("the words", 0, strcmp(text, "one\ntwo\n"));
}

const struct suite_case cases_thread_process[] = {
	CASE(wall_clock_change_is_told),
	CASE(stop_freezes_the_watchdog),
	CASE(broken_nucleus_ends_the_program_with_a_record),
	CASE(words_of_a_cpu_come_whole_and_in_order),
	CASE(full_pipe_stops_no_watchdog),
	{NULL, NULL},
};
