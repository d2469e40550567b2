/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A program for tools to inspect: one task in each state that tools show, on one real-time CPU. It
 * prints "ready" once all tasks are there, and ends when its standard input ends, or after two
 * minutes.
 */
#include <stdio.h>
#include <unistd.h>

#include <tactus/tact.h>

#include "scenery.h"

#define ONE_MS 1000000ull
/* A look costs a microsecond of virtual time, whatever sleep follows: so the sleeps are short and
 * many. */
#define LOOK_US 50
#define LOOKS   100000

static tact_sem_t named, unnamed;
static tact_task_t joined;
static int ending;

static void check(int result, const char *what)
{
	if (result < 0) {
		fprintf(stderr, "scenery: %s: %d\n", what, result);
		_exit(1);
	}
}

static __attribute__((noinline)) void wait_deeply(tact_sem_t sem)
{
	check(tact_sem_wait(sem, TACT_FOREVER), "wait");
	__asm__ volatile(""); /* not a tail call: the frame is looked for */
}

static void waits(void *arg)
{
	wait_deeply(*(tact_sem_t *)arg);
}

static void sleeps(void *arg)
{
	(void)arg;
	(void)tact_task_sleep(TACT_S(1000));
}

static void beats(void *arg)
{
	(void)arg;
	check(tact_task_set_periodic(TACT_SELF, (tact_time_t){0}, ONE_MS), "periodic");
	while (!__atomic_load_n(&ending, __ATOMIC_RELAXED))
		(void)tact_task_wait_period(NULL, NULL);
}

static void relaxes(void *arg)
{
	(void)arg;
	scenery_sleep_in_linux();
}

static void joins(void *arg)
{
	(void)arg;
	(void)tact_task_join(joined, TACT_FOREVER);
}

static __attribute__((noinline)) void compute_for_ever(void)
{
	while (!__atomic_load_n(&ending, __ATOMIC_RELAXED))
		tact_compute(ONE_MS);
}

static void computes(void *arg)
{
	(void)arg;
	compute_for_ever();
}

static tact_task_t spawn(const char *name, uint32_t priority, uint32_t flags, void (*entry)(void *),
			 void *arg)
{
	struct tact_task_attr attr = {.name = name, .priority = priority, .flags = flags};
	tact_task_t task;

	check(tact_task_spawn(&attr, entry, arg, &task), name);
	return task;
}

static void await(tact_task_t task, uint32_t state)
{
	struct tact_task_info info = {0};

	for (int i = 0; i < LOOKS; i++) {
		check(tact_task_inquire(task, &info), "inquire");
		if (info.state == state)
			return;
		usleep(LOOK_US);
	}
	fprintf(stderr, "scenery: %s: state %#x, not %#x\n", info.name, info.state, state);
	_exit(1);
}

/* When it has computed for a while, a task that takes the CPU from it interrupts it. */
static void await_run(tact_task_t task)
{
	struct tact_task_info info = {0};

	for (int i = 0; i < LOOKS; i++) {
		check(tact_task_inquire(task, &info), "inquire");
		if (info.run_ns > 3 * ONE_MS)
			return;
		usleep(LOOK_US);
	}
	fprintf(stderr, "scenery: %s has not run\n", info.name);
	_exit(1);
}

int main(void)
{
	/* The computing task must always be found computing, whatever the machine's load. */
	struct tact_config config = {.name = "scenery", .share = 1, .watchdog_ms = UINT32_MAX};
	char reason[TACT_REASON_BYTES];
	struct tact_task_attr dormant = {.name = "dormant", .priority = 30};
	tact_task_t task;
	int error;

	alarm(120);
	/* Another test program may be about to end. */
	for (int i = 0; (error = tact_start(&config, reason)) == -TACT_EBUSY && i < 600; i++)
		usleep(100000);
	if (error) {
		fprintf(stderr, "scenery: %s\n", reason);
		return 1;
	}
	check(tact_sem_create("gate", 0, 1, TACT_FIFO, &named), "sem");
	check(tact_sem_create(NULL, 0, 1, TACT_FIFO, &unnamed), "sem");
	check(tact_task_create(&dormant, NULL), "create");
	await(spawn("waiter", 40, 0, waits, &named), TACT_TASK_STATE_WAITING);
	joined = spawn("light", 41, TACT_TASK_LIGHT, waits, &unnamed);
	await(joined, TACT_TASK_STATE_WAITING);
	await(spawn("sleeper", 42, 0, sleeps, NULL), TACT_TASK_STATE_SLEEPING);
	await(spawn("joiner", 43, 0, joins, NULL), TACT_TASK_STATE_WAITING);
	await(spawn("linux", 44, 0, relaxes, NULL), TACT_TASK_STATE_RELAXED);
	task = spawn("stopped", 45, TACT_TASK_SUSPENDED, waits, &named);
	await(task, TACT_TASK_STATE_SUSPENDED);
	spawn("beat", 46, 0, beats, NULL);
	task = spawn("preempted", 2, 0, computes, NULL);
	await_run(task);
	await_run(spawn("computer", 3, 0, computes, NULL));
	printf("ready\n");
	fflush(stdout);
	while (getchar() != EOF)
		;
	__atomic_store_n(&ending, 1, __ATOMIC_RELAXED);
	return 0;
}
