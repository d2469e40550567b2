/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * usage: random FIRST COUNT: runs the programs of COUNT seeds in virtual time, and prints each, and
 * what each call returned. Schedules are perturbed by TACTUS_SIM=seed=N.
 */
#include "random.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <alchemy/sem.h>

/* Longer than all that is perturbed between two instants together. */
#define APART_NS 1000000000u
#define NOTES    2000
#define ROUNDS   200

struct noted {
	unsigned actor, at;
	const char *name;
	long result;
};

struct actor actors[ACTORS];
unsigned actor_count;

static struct noted notes[NOTES];
static unsigned noted;
static RTIME epoch, latest;
static RT_SEM born;
static uint64_t state;

static unsigned chosen(unsigned limit)
{
	uint64_t mixed = state += 0x9e3779b97f4a7c15;

	mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
	mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
	return (unsigned)((mixed ^ mixed >> 31) >> 32) % limit;
}

static void note(unsigned actor, unsigned at, const char *name, long result)
{
	if (noted < NOTES)
		notes[noted++] = (struct noted){actor, at, name, result};
}

RTIME soon(void)
{
	RTIME now = epoch + (rt_timer_read() - epoch) / APART_NS * APART_NS;

	latest = (latest > now ? latest : now) + APART_NS;
	return latest;
}

int priority_of(const struct actor *actor, unsigned what)
{
	return (int)(2 + what * ACTORS + actor->number);
}

/* All tasks of a program are on one CPU: it is the running one. */
struct actor *acting(void)
{
	RT_TASK *task = rt_task_self();

	for (unsigned i = 0; i < actor_count; i++)
		if (rt_task_same(task, &actors[i].task))
			return &actors[i];
	abort();
}

static void act(void *actor)
{
	struct actor *me = actor;

	(void)rt_sem_p(&born, TM_INFINITE);
	for (me->at = 0; me->at < me->count; me->at++) {
		const struct step *step = &me->steps[me->at];
		long result = step->operation->call(step->what, step->how);

		if (result != SKIPPED)
			note(me->number, me->at, step->operation->name, result);
	}
	objects_leave();
	note(me->number, me->at, "end", 0);
	me->gone = true;
}

/* The least urgent of all: when it runs after the last instant all others wait for ever. */
static void referee(void *unused)
{
	unsigned left = actor_count;

	(void)unused;
	epoch = latest = rt_timer_read();
	(void)rt_sem_broadcast(&born);
	for (unsigned round = 0; left && round < ROUNDS;) {
		RTIME then = latest + APART_NS / 2;

		if (then > rt_timer_read()) {
			(void)rt_task_sleep_until(then);
			continue;
		}
		note(ACTORS, round, "referee", 0);
		objects_free(round++);
		latest += APART_NS;
		left = 0;
		for (unsigned i = 0; i < actor_count; i++)
			left += !actors[i].gone;
	}
}

static void choose(unsigned seed)
{
	actor_count = 2 + chosen(ACTORS - 1);
	for (unsigned i = 0; i < actor_count; i++) {
		struct actor *actor = &actors[i];

		memset(actor, 0, sizeof(*actor));
		actor->number = i;
		actor->first = chosen(8);
		actor->count = 4 + chosen(STEPS - 4);
		printf("%u: actor %u %d\n", seed, i, priority_of(actor, actor->first));
		for (unsigned j = 0; j < actor->count; j++) {
			struct step *step = &actor->steps[j];

			step->operation = &operations[chosen(operation_count)];
			step->what = chosen(8);
			step->how = chosen(8);
			printf("%u: step %u %s %u %u\n", seed, i, step->operation->name, step->what,
			       step->how);
		}
	}
}

static void run(unsigned seed)
{
	RT_TASK last;

	state = seed;
	noted = 0;
	choose(seed);
	objects_make();
	(void)rt_sem_create(&born, NULL, 0, S_PRIO);
	for (unsigned i = 0; i < actor_count; i++) {
		(void)rt_task_create(&actors[i].task, NULL, 0,
				     priority_of(&actors[i], actors[i].first), T_JOINABLE);
		(void)rt_task_start(&actors[i].task, act, &actors[i]);
	}
	(void)rt_task_spawn(&last, NULL, 0, 1, T_JOINABLE, referee, NULL);
	(void)rt_task_join(&last);
	for (unsigned i = 0; i < noted; i++)
		printf("%u: note %u.%u %s = %ld\n", seed, notes[i].actor, notes[i].at,
		       notes[i].name, notes[i].result);
	fflush(stdout);
	for (unsigned i = 0; i < actor_count; i++)
		(void)rt_task_join(&actors[i].task);
	(void)rt_sem_delete(&born);
	objects_destroy();
}

int main(int argc, char **argv)
{
	unsigned first, count;

	if (argc != 3) {
		fputs("usage: random FIRST COUNT\n", stderr);
		return 2;
	}
	first = (unsigned)strtoul(argv[1], NULL, 10);
	count = (unsigned)strtoul(argv[2], NULL, 10);
	for (unsigned i = 0; i < count; i++)
		run(first + i);
	return 0;
}
