/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs: tasks of two levels with deadlines and of class FIFO, some of these above them,
 * that compute and own locks, one inside the other. Locks are taken in the order of their numbers,
 * so that nobody waits for ever. Equal seeds give equal programs.
 */
#include "draw.h"

#include <string.h>

#define US    1000u
#define ABOVE 28u /* what a task that computes above the others has more of priority */

/* SplitMix64. Source: G. Steele, D. Lea, C. Flood, OOPSLA 2014. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static uint64_t between(uint64_t *random, uint64_t least, uint64_t most)
{
	return least + next_random(random) % (most - least + 1);
}

struct writer {
	uint64_t *random;
	struct step *step;
	uint32_t count;
	uint32_t locks;
	bool timeouts;
};

static struct step *add(struct writer *writer, enum step_kind kind, uint32_t lock, uint64_t ns)
{
	struct step *step = &writer->step[writer->count++];

	*step = (struct step){.kind = kind, .lock = lock, .ns = ns};
	return step;
}

static void compute(struct writer *writer)
{
	(void)add(writer, STEP_COMPUTE, 0, between(writer->random, 20 * US, 2500 * US));
}

/* Lock, compute, maybe more locks inside, unlock, compute; at most 13 steps. */
static void section(struct writer *writer, uint32_t lowest, uint32_t depth)
{
	uint32_t lock = (uint32_t)between(writer->random, lowest, writer->locks - 1);
	bool timed = writer->timeouts && next_random(writer->random) % 2;
	struct step *begin = add(writer, STEP_LOCK, lock,
				 timed ? between(writer->random, 50 * US, 5000 * US) : MODEL_NEVER);

	compute(writer);
	if (depth && lock + 1 < writer->locks && next_random(writer->random) % 2)
		section(writer, lock + 1, depth - 1);
	(void)add(writer, STEP_UNLOCK, lock, 0);
	begin->on_error = writer->count;
	compute(writer);
}

static void draw_steps(struct writer *writer)
{
	compute(writer);
	/* Three sections one inside the other take 12 steps. */
	for (uint32_t n = (uint32_t)between(writer->random, 1, 3); n; n--)
		if (writer->count + 13 < MODEL_STEPS)
			section(writer, 0, 2);
	(void)add(writer, STEP_END, 0, 0);
}

/* It keeps a CPU while waits on it end that concern other CPUs. */
static void draw_computer(struct writer *writer)
{
	(void)add(writer, STEP_COMPUTE, 0, between(writer->random, 3000 * US, 20000 * US));
	(void)add(writer, STEP_END, 0, 0);
}

void model_draw(struct program *program, const struct model_kind *kind, uint64_t seed)
{
	uint64_t random = seed;

	memset(program, 0, sizeof(*program));
	program->seed = seed;
	program->cpus = kind->cpus;
	program->tasks = (uint32_t)between(&random, 3, MODEL_TASKS);
	program->locks = (uint32_t)between(&random, 1, MODEL_LOCKS);
	for (uint32_t i = 0; i < program->locks; i++)
		program->home[i] = (uint32_t)(next_random(&random) % kind->cpus);
	for (uint32_t i = 0; i < program->tasks; i++) {
		struct task_program *task = &program->task[i];
		struct writer writer = {&random, task->step, 0, program->locks, kind->timeouts};
		bool fifo = next_random(&random) % 100 < kind->fifo_percent;
		bool above = fifo && next_random(&random) % 4 == 0;

		task->cpu = (uint32_t)(next_random(&random) % kind->cpus);
		task->release_ns = between(&random, 100 * US, 12000 * US);
		/* Priorities of FIFO tasks differ, and two of them are levels of the others. */
		task->priority = fifo ? 4 + 3 * i + (above ? ABOVE : 0)
				      : 10 + 9 * (uint32_t)(next_random(&random) % 2);
		task->deadline_ns = fifo ? MODEL_NEVER : between(&random, 1000 * US, 60000 * US);
		if (above)
			draw_computer(&writer);
		else
			draw_steps(&writer);
	}
}
