/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Virtual time: a task's fault ends only the task, and a simulation that hangs ends with a name. */
#define _GNU_SOURCE
#include "sim_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hal/sim.h"

static struct suite_task tasks[4];

static volatile char *nowhere;
static volatile int sink;

static void toucher(void *arg)
{
	(void)arg;
	*nowhere = 1;
}

static int deeper(int depth)
{
	volatile char room[512];

	room[depth & 511] = (char)depth;
	return depth == sink ? 0 : deeper(depth + 1) + room[0];
}

static void overrunner(void *arg)
{
	(void)arg;
	sink = -1;
	sink = deeper(1);
}

static void shadow_toucher(void *arg)
{
	(void)arg;
	hal_sim_linux_call(1, 0);
	*nowhere = 1;
}

static void bystander(void *arg)
{
	(void)arg;
	suite_sleep_until(1500000000);
}

static void faults_end_the_task_alone(void)
{
	nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	sim_start(1, NULL);
	for (unsigned round = 0; round < 3; round++) {
		suite_task_start(&tasks[0], 0, false, toucher, NULL);
		suite_task_start(&tasks[1], 0, false, overrunner, NULL);
		suite_task_start(&tasks[2], 0, false, bystander, NULL);
		for (unsigned i = 0; i < 3; i++)
			suite_task_join(&tasks[i]);
		expect("cause of a wild pointer", HAL_FAULT_MEMORY, tasks[0].fault.cause);
		expect("cause of an overrun", HAL_FAULT_STACK, tasks[1].fault.cause);
		expect("the third is well", 0, tasks[2].fault.cause);
	}
	suite_task_start(&tasks[3], 0, true, shadow_toucher, NULL);
	hal_linux_wait(&tasks[3].done);
	expect("cause in secondary mode", HAL_FAULT_MEMORY, tasks[3].fault.cause);
	suite_stop();
}

/* Runs the body in a child; returns its exit code and what it wrote to standard error. */
static int ends_with(void (*body)(void), char text[4096])
{
	int pipes[2];
	ssize_t got;
	size_t used = 0;
	int status;
	pid_t child;

	fflush(NULL);
	if (pipe(pipes))
		exit(1);
	child = fork();
	if (!child) {
		dup2(pipes[1], 2);
		body();
		_exit(0);
	}
	close(pipes[1]);
	while ((got = read(pipes[0], text + used, 4095 - used)) > 0)
		used += (size_t)got;
	text[used] = '\0';
	close(pipes[0]);
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void expect_end(void (*body)(void), int code, const char *words)
{
	char text[4096];

	expect("exit code", code, ends_with(body, text));
	if (strstr(text, words))
		return;
	expect_true(words, false);
	printf("actual \"%s\"\n", text);
}

static void stuck(void)
{
	struct hal_word word = {0};

	sim_start(2, NULL);
	hal_linux_wait(&word);
}

static void looper(void *arg)
{
	(void)arg;
	for (;;)
		sink = !sink;
}

static void stuck_loop(void)
{
	sim_start(1, "watchdog=1");
	suite_task_start(&tasks[0], 0, false, looper, NULL);
	suite_task_join(&tasks[0]);
}

static void yielder(void *arg)
{
	(void)arg;
	for (;;)
		suite_sleep_until(hal_now_ns() + 1000000);
}

static void endless(void)
{
	sim_start(1, "limit=3");
	suite_task_start(&tasks[0], 0, false, yielder, NULL);
	suite_task_join(&tasks[0]);
}

static void nucleus_fault(void)
{
	sim_start(1, NULL);
	nowhere = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	*nowhere = 1;
}

static void stuck_simulation_is_named(void)
{
	expect_end(stuck, HAL_SIM_EXIT_PANIC, "simulation is stuck");
	expect_end(stuck, HAL_SIM_EXIT_PANIC, "main waits for a word");
	expect_end(stuck, HAL_SIM_EXIT_PANIC, "cpu1 idles without a deadline");
}

static void stuck_loop_is_named(void)
{
	if (UNDER_TSAN)
		skip("ThreadSanitizer holds signals back");
	expect_end(stuck_loop, HAL_SIM_EXIT_PANIC, "stuck loop: the task on cpu0");
}

static void endless_simulation_ends_at_its_limit(void)
{
	expect_end(endless, HAL_SIM_EXIT_PANIC, "past its limit of 3000000000 ns");
}

static void fault_outside_a_task_is_the_programs(void)
{
	expect_end(nucleus_fault, -SIGSEGV, "in code of no task on main");
}

const struct suite_case cases_sim_end[] = {
	CASE(faults_end_the_task_alone),
	CASE(stuck_simulation_is_named),
	CASE(stuck_loop_is_named),
	CASE(endless_simulation_ends_at_its_limit),
	CASE(fault_outside_a_task_is_the_programs),
	{NULL, NULL},
};
