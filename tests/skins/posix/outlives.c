/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program exits while one of its threads waits in Linux: the thread does not continue for long
 * after the destructors, which have removed what libraries keep for it. Of several programs, one is
 * enough: others may keep the CPUs of this machine. Source: POSIX.1-2017, exit().
 */
#define _GNU_SOURCE
#include <poll.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define PROGRAMS    8
#define WAITS_MS    35
#define EXITS_AT_US 5000

struct seen {
	atomic_int task, outlived;
};

static struct seen *seen;
static sem_t about_to;

static void *waits(void *argument)
{
	struct pollfd end = {.fd = *(int *)argument, .events = POLLIN};

	seen->task = is_task_if_expected();
	sem_post(&about_to);
	poll(&end, 1, WAITS_MS);
	seen->outlived = 1;
	return NULL;
}

static void program(void)
{
	int ends[2];

	if (pipe(ends))
		exit(2);
	sem_init(&about_to, 0, 0);
	fifo_thread(20, waits, ends);
	sem_wait(&about_to);
	usleep(EXITS_AT_US);
	exit(0);
}

int main(void)
{
	int programs = 0;

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 2;
	do {
		pid_t child;
		int status;

		seen->outlived = 0;
		child = fork();
		if (!child)
			program();
		if (waitpid(child, &status, 0) != child || status)
			return 2;
	} while (seen->outlived && ++programs < PROGRAMS);
	SHOW(seen->task);
	SHOW(seen->outlived);
	return 0;
}
