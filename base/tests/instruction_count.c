/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Instruction counts by single-stepping. The child runs at full speed until it raises SIGSTOP; from
 * there on every step is looked at, some microseconds each.
 */
#define _GNU_SOURCE
#include "instruction_count.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static void child(void (*body)(struct instruction_counter *, void *), void *argument,
		  struct instruction_counter *counter)
{
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		_exit(2);
	body(counter, argument);
	_exit(0);
}

static int trace(pid_t pid, struct instruction_counter *counter, instruction_histogram histogram)
{
	uint32_t kind = 0;
	uint32_t steps = 0;
	int status;

	for (;;) {
		if (waitpid(pid, &status, 0) < 0)
			return -errno;
		if (WIFEXITED(status))
			return WEXITSTATUS(status) ? -EPERM : 0;
		if (!WIFSTOPPED(status))
			return -ECHILD;
		if (counter->kind == kind) {
			steps += kind != 0;
		} else {
			/* The step that clears the flag is not the call's own. */
			if (kind)
				histogram[kind]
					 [steps < COUNTER_LIMIT ? steps : COUNTER_LIMIT - 1]++;
			kind = counter->kind;
			steps = 0;
		}
		if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL))
			return -errno;
	}
}

int instruction_count(void (*body)(struct instruction_counter *counter, void *argument),
		      void *argument, instruction_histogram histogram)
{
	struct instruction_counter *counter = mmap(NULL, sizeof(*counter), PROT_READ | PROT_WRITE,
						   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid;
	int result;

	if (counter == MAP_FAILED)
		return -errno;
	memset(histogram, 0, sizeof(instruction_histogram));
	pid = fork();
	if (pid < 0)
		return -errno;
	if (!pid)
		child(body, argument, counter);
	result = trace(pid, counter, histogram);
	if (result) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	munmap(counter, sizeof(*counter));
	return result;
}

uint32_t instruction_quantile(const uint32_t *calls, double share)
{
	uint64_t total = 0;
	uint64_t sum = 0;
	uint32_t last = 0;

	for (uint32_t i = 0; i < COUNTER_LIMIT; i++)
		total += calls[i];
	for (uint32_t i = 0; i < COUNTER_LIMIT; i++) {
		if (!calls[i])
			continue;
		last = i;
		sum += calls[i];
		if ((double)sum >= share * (double)total)
			break;
	}
	return last;
}

double instruction_mean(const uint32_t *calls)
{
	double total = 0;
	double sum = 0;

	for (uint32_t i = 0; i < COUNTER_LIMIT; i++) {
		total += calls[i];
		sum += (double)calls[i] * i;
	}
	return total > 0 ? sum / total : 0;
}
