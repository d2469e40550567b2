/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Two runs in one process: after a stop the program starts again from nothing, so that the same
 * seed gives the same schedule again, whatever ran in between. Scenarios of tactus explore cannot
 * show this: they keep their state in variables of their own and end with the process.
 */
#include <stdio.h>
#include <stdlib.h>

#include "hal/sim.h"

#include <tactus/tact.h>

#define CPUS  2u
#define ITEMS 50

static tact_sem_t sem;
static tact_mutex_t mutex;

static void must(int result, const char *what)
{
	if (!result)
		return;
	printf("Bail out! %s: expected 0, actual %d\n", what, result);
	exit(1);
}

static void ring(void *unused)
{
	(void)unused;
	must(tact_sem_post(sem), "tact_sem_post");
}

/* Waits, time, inheritance, moves and modes: all that could leave something behind. */
static void work(void *number)
{
	const uint32_t own = *(const uint32_t *)number;

	for (uint32_t i = 0; i < ITEMS; i++) {
		must(tact_mutex_lock(mutex, TACT_FOREVER), "tact_mutex_lock");
		tact_compute(500 + own * 100);
		must(tact_mutex_unlock(mutex), "tact_mutex_unlock");
		must(tact_sem_wait(sem, TACT_FOREVER), "tact_sem_wait");
		must(tact_task_sleep(1 + own * 300), "tact_task_sleep");
		if (i % 10 == own)
			must(tact_task_relax(), "tact_task_relax");
		if (i % 10 == own + 1)
			must(tact_task_migrate(TACT_SELF, (own + i) % CPUS), "tact_task_migrate");
	}
}

static uint64_t live(uint64_t seed)
{
	static const uint32_t numbers[] = {0, 1, 2, 3};
	struct tact_config config = {.name = "lives", .cpus = CPUS};
	tact_task_t task[4];
	tact_timer_t timer;
	char reason[TACT_REASON_BYTES];

	hal_sim_set_seed(seed);
	must(tact_start(&config, reason), reason);
	must(tact_sem_create("units", 0, TACT_SEM_VALUE_MAX, TACT_ON_CPU(1), &sem), "sem");
	must(tact_mutex_create("lock", TACT_PRIO | TACT_ON_CPU(1), 0, &mutex), "mutex");
	must(tact_timer_create("beat", ring, NULL, TACT_ON_CPU(1), &timer), "timer");
	must(tact_timer_start(timer, tact_in(1000), 2000), "tact_timer_start");
	for (uint32_t i = 0; i < 4; i++) {
		struct tact_task_attr attr = {.priority = 10 + i, .flags = TACT_ON_CPU(i % CPUS)};

		must(tact_task_spawn(&attr, work, (void *)(uintptr_t)&numbers[i], &task[i]),
		     "tact_task_spawn");
	}
	for (uint32_t i = 0; i < 4; i++)
		must(tact_task_join(task[i], TACT_FOREVER), "tact_task_join");
	must(tact_timer_delete(timer), "tact_timer_delete");
	must(tact_stop(), "tact_stop");
	return hal_sim_trace_hash();
}

int main(void)
{
	uint64_t first = live(7);
	uint64_t other = live(8);
	uint64_t again = live(7);

	printf("1..2\n");
	printf("%s 1 - the same seed in a second life\n", first == again ? "ok" : "not ok");
	printf("%s 2 - another seed in between\n", first != other ? "ok" : "not ok");
	if (first != again || first == other)
		printf("# seed 7: %016llx, then %016llx; seed 8: %016llx\n",
		       (unsigned long long)first, (unsigned long long)again,
		       (unsigned long long)other);
	return 0;
}
