/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The cost of a fork in a program with tasks: the shortest of many, beside the shortest before
 * there were any tasks. The caller does not wait until the program's pages are private again. A
 * thread that becomes the first task does not have its whole stack populated, which every fork
 * would copy.
 *
 * With the argument `figures` it prints the time of a fork in a task, and in main() while there is
 * one: dev/linux_calls.py compares these with a plain run.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

#define FORKS      200
#define MOST_TIMES 4
#define PAGE       4096u
#define PRESENT    (1ull << 63)

static uint64_t shortest_ns(void)
{
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < FORKS; i++) {
		uint64_t begin_ns = now_ns(CLOCK_MONOTONIC), took_ns;
		pid_t child = fork();

		if (!child)
			_exit(0);
		waitpid(child, NULL, 0);
		took_ns = now_ns(CLOCK_MONOTONIC) - begin_ns;
		if (took_ns < shortest)
			shortest = took_ns;
	}
	return shortest;
}

/* The populated part of the caller's stack, in quarters. */
static int populated_quarters(void)
{
	int pagemap = open("/proc/self/pagemap", O_RDONLY);
	pthread_attr_t attributes;
	size_t bytes, pages = 0;
	uint64_t entry;
	void *base;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &base, &bytes);
	pthread_attr_destroy(&attributes);
	for (uintptr_t at = (uintptr_t)base; at < (uintptr_t)base + bytes; at += PAGE)
		if (pread(pagemap, &entry, sizeof(entry), (off_t)(at / PAGE * sizeof(entry))) ==
			    sizeof(entry) &&
		    entry & PRESENT)
			pages++;
	close(pagemap);
	return (int)(4 * pages * PAGE / bytes);
}

static void *run(void *before_ns)
{
	const uint64_t most_ns = MOST_TIMES * *(uint64_t *)before_ns;
	uint64_t ns;

	SHOW(is_task_if_expected());
	SHOW(populated_quarters());
	ns = shortest_ns();
	if (ns > most_ns)
		printf("%d us with tasks, %d us without\n", (int)(ns / 1000),
		       (int)(*(uint64_t *)before_ns / 1000));
	SHOW(ns <= most_ns);
	return NULL;
}

static volatile bool ends;

static void *fork_and_stay(void *unused)
{
	printf("task: %.1f us\n", (double)shortest_ns() / 1000);
	fflush(stdout);
	ends = true;
	pause();
	return unused;
}

static int figures(void)
{
	(void)fifo_thread(50, fork_and_stay, NULL);
	while (!ends)
		usleep(1000);
	printf("main: %.1f us\n", (double)shortest_ns() / 1000);
	return 0;
}

int main(int count, char **arguments)
{
	uint64_t before_ns;

	if (count > 1 && !strcmp(arguments[1], "figures"))
		return figures();
	before_ns = shortest_ns();

	joined(fifo_thread(50, run, &before_ns));
	return 0;
}
