/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * As many threads compute as the program has CPUs, and as many less urgent ones are ready below
 * them: these get no instruction, wherever the others compute. This holds also when the others have
 * computed for so long that they would make room for equal ones.
 */
#define _GNU_SOURCE
#include <stdatomic.h>
#include <unistd.h>

#include "check.h"

#define MOST_CPUS 8

static _Atomic int ready, moved;

static void *attacks(void *argument)
{
	atomic_fetch_add(&ready, 1);
	for (;;)
		atomic_fetch_add_explicit(&moved, 1, memory_order_relaxed);
	return argument;
}

static void *defends(void *argument)
{
	atomic_fetch_add(&ready, 1);
	for (;;)
		;
	return argument;
}

static void until_ready(int count)
{
	while (atomic_load(&ready) < count)
		usleep(100);
}

static void *referees(void *cpus)
{
	const int count = *(int *)cpus;

	SHOW(is_task_if_expected());
	for (int i = 0; i < count; i++)
		fifo_thread(15, attacks, NULL);
	until_ready(count);
	for (int i = 0; i < count; i++)
		fifo_thread(30, defends, NULL);
	until_ready(2 * count);
	atomic_store(&moved, 0);
	/* By then each of them would have made room once more. */
	usleep(700000);
	SHOW(atomic_load(&moved));
	return NULL;
}

int main(void)
{
	cpu_set_t cpus;
	int count;

	sched_getaffinity(0, sizeof(cpus), &cpus);
	count = CPU_COUNT(&cpus);
	/* On one CPU, they would never all begin. */
	if (count < 2 || count > MOST_CPUS)
		return 77;
	joined(fifo_thread(60, referees, &count));
	return 0;
}
