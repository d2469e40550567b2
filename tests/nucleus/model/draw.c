/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Random programs: tasks of two levels with deadlines and of classes without them, and some of
 * class FIFO above them all, that compute, own locks, one inside the other, and serve each other.
 * Locks are taken in the order of their numbers, so that no task waits for ever. Equal seeds give
 * equal programs.
 */
#include "draw.h"

#include <string.h>

#define US    1000u
#define ABOVE 28u /* added to the priority of a task that computes above the others */

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
	const struct program *program;
	const struct model_kind *kind;
	struct step *step;
	uint32_t count;
};

static struct step *add(struct writer *writer, enum step_kind kind, uint32_t lock, uint64_t ns)
{
	struct step *step = &writer->step[writer->count++];

	*step = (struct step){.kind = kind, .lock = lock, .ns = ns};
	return step;
}

/* Also after each step that may wait: only this shows what a task does that gets the processor for
 * an instant then. */
static void compute(struct writer *writer)
{
	(void)add(writer, STEP_COMPUTE, 0, between(writer->random, 20 * US, 2500 * US));
}

static enum step_kind how(struct writer *writer, uint32_t lock)
{
	if (writer->program->kind[lock] == MODEL_RWLOCK && next_random(writer->random) % 2)
		return STEP_READ;
	return STEP_LOCK;
}

/* A server may be at work elsewhere, or have ended. */
static void ask(struct writer *writer, uint32_t port)
{
	struct step *send =
		add(writer, STEP_SEND, port, between(writer->random, 500 * US, 20000 * US));

	send->on_error = writer->count;
	compute(writer);
}

/* Lock, compute, maybe more locks inside, unlock, compute; at most 13 steps. */
static void section(struct writer *writer, uint32_t lowest, uint32_t depth)
{
	const struct program *program = writer->program;
	uint32_t lock = (uint32_t)between(writer->random, lowest, program->locks - 1);
	bool timed = writer->kind->timeouts && next_random(writer->random) % 2;
	struct step *begin;

	if (program->kind[lock] == MODEL_PORT) {
		ask(writer, lock);
		return;
	}
	begin = add(writer, how(writer, lock), lock,
		    timed ? between(writer->random, 50 * US, 5000 * US) : MODEL_NEVER);
	compute(writer);
	if (depth && lock + 1 < program->locks && next_random(writer->random) % 2)
		section(writer, lock + 1, depth - 1);
	(void)add(writer, STEP_UNLOCK, lock, 0);
	begin->on_error = writer->count;
	compute(writer);
}

/* Jobs, of which some last longer than a period. */
static void draw_jobs(struct writer *writer)
{
	for (uint32_t n = (uint32_t)between(writer->random, 2, 5); n; n--) {
		compute(writer);
		if (next_random(writer->random) % 2 && writer->count + 14 < MODEL_STEPS)
			section(writer, 0, 1);
		if (writer->count + 4 >= MODEL_STEPS)
			break;
		(void)add(writer, STEP_RELEASE, 0, 0);
	}
	compute(writer);
	(void)add(writer, STEP_END, 0, 0);
}

static void draw_steps(struct writer *writer)
{
	compute(writer);
	/* Three sections one inside the other take 12 steps. */
	for (uint32_t n = (uint32_t)between(writer->random, 1, 3); n; n--) {
		if (writer->count + 16 >= MODEL_STEPS)
			break;
		section(writer, 0, 2);
		if (!writer->kind->classes || next_random(writer->random) % 2)
			continue;
		(void)add(writer, STEP_SLEEP, 0, between(writer->random, 50 * US, 5000 * US));
		compute(writer);
	}
	(void)add(writer, STEP_END, 0, 0);
}

/* It keeps a CPU while waits on it end that concern other CPUs. */
static void draw_computer(struct writer *writer)
{
	(void)add(writer, STEP_COMPUTE, 0, between(writer->random, 3000 * US, 20000 * US));
	(void)add(writer, STEP_END, 0, 0);
}

/* Locks that it takes while it serves have higher numbers, so that there is no circle. */
static void draw_server(struct writer *writer, uint32_t port)
{
	struct step *receive[4];
	uint32_t turns = (uint32_t)between(writer->random, 1, 4);

	for (uint32_t i = 0; i < turns; i++) {
		compute(writer);
		receive[i] = add(writer, STEP_RECEIVE, port,
				 between(writer->random, 500 * US, 30000 * US));
		compute(writer);
		if (port + 1 < writer->program->locks && writer->count + 16 < MODEL_STEPS &&
		    next_random(writer->random) % 2)
			section(writer, port + 1, 1);
		(void)add(writer, STEP_REPLY, port, 0);
		if (writer->count + 9 >= MODEL_STEPS)
			turns = i + 1;
	}
	for (uint32_t i = 0; i < turns; i++)
		receive[i]->on_error = writer->count;
	(void)add(writer, STEP_END, 0, 0);
}

static bool member_of_this_level(const struct program *program, uint32_t who)
{
	for (uint32_t i = 0; i < who; i++)
		if (program->task[i].class == MODEL_QUOTA &&
		    program->task[i].cpu == program->task[who].cpu &&
		    program->task[i].priority == program->task[who].priority)
			return true;
	return false;
}

static uint32_t draw_level(uint64_t *random)
{
	return 4 + 3 * (uint32_t)(next_random(random) % 6);
}

/* Levels are few, and those of deadlines among them. */
static void draw_class(struct program *program, uint32_t who, uint64_t *random)
{
	struct task_program *task = &program->task[who];

	task->class = (enum model_class)(next_random(random) % (MODEL_CBS + 1));
	task->priority = draw_level(random);
	task->slice_ns = between(random, 300 * US, 3000 * US);
	task->renewal_ns = task->slice_ns + between(random, 500 * US, 10000 * US);
	task->deadline_ns = MODEL_NEVER;
	if (task->class == MODEL_EDF || task->class == MODEL_CBS)
		task->priority = 10 + 9 * (uint32_t)(next_random(random) % 2);
	if (task->class == MODEL_EDF)
		task->deadline_ns = between(random, 1000 * US, 60000 * US);
	if (task->class == MODEL_CBS)
		task->deadline_ns = next_random(random) % 2
					    ? task->renewal_ns
					    : between(random, task->slice_ns, task->renewal_ns);
	if (task->class == MODEL_SPORADIC) {
		task->low_priority = draw_level(random);
		if (task->low_priority >= task->priority)
			task->priority = task->low_priority + 3;
	}
	/* tests/nucleus/sched/quota.c tests in which order equals of a group come back. */
	if (task->class == MODEL_QUOTA && member_of_this_level(program, who))
		task->class = MODEL_FIFO;
}

static void draw_plain(struct task_program *task, const struct model_kind *kind, uint32_t who,
		       uint64_t *random)
{
	bool fifo = next_random(random) % 100 < kind->fifo_percent;

	/* Two of the priorities of FIFO tasks are levels of the others. */
	task->class = fifo ? MODEL_FIFO : MODEL_EDF;
	task->priority = fifo ? 4 + 3 * who : 10 + 9 * (uint32_t)(next_random(random) % 2);
	if (fifo && kind->ties)
		task->priority = draw_level(random);
	task->deadline_ns = fifo ? MODEL_NEVER : between(random, 1000 * US, 60000 * US);
}

static void draw_locks(struct program *program, const struct model_kind *kind, uint64_t *random)
{
	for (uint32_t i = 0; i < program->locks; i++) {
		program->home[i] = (uint32_t)(next_random(random) % kind->cpus);
		if (kind->kinds)
			program->kind[i] = (enum model_lock)(next_random(random) % 3);
	}
	for (uint32_t i = 0; i < program->cpus && kind->classes; i++) {
		program->quota_ns[i] = between(random, 1000 * US, 4000 * US);
		program->interval_ns[i] =
			program->quota_ns[i] + between(random, 1000 * US, 8000 * US);
	}
}

void model_draw(struct program *program, const struct model_kind *kind, uint64_t seed)
{
	uint64_t random = seed;

	memset(program, 0, sizeof(*program));
	program->seed = seed;
	program->cpus = kind->cpus;
	program->tasks = (uint32_t)between(&random, 3, MODEL_TASKS);
	program->locks = (uint32_t)between(&random, 1, MODEL_LOCKS);
	draw_locks(program, kind, &random);
	for (uint32_t i = 0; i < program->tasks; i++) {
		struct task_program *task = &program->task[i];
		struct writer writer = {&random, program, kind, task->step, 0};
		uint32_t port = (uint32_t)(next_random(&random) % program->locks);

		task->cpu = (uint32_t)(next_random(&random) % kind->cpus);
		task->release_ns = between(&random, 100 * US, 12000 * US);
		if (kind->classes)
			draw_class(program, i, &random);
		else
			draw_plain(task, kind, i, &random);
		if (task->class == MODEL_FIFO && next_random(&random) % 4 == 0) {
			task->priority += ABOVE;
			draw_computer(&writer);
		} else if (program->kind[port] == MODEL_PORT && next_random(&random) % 2) {
			draw_server(&writer, port);
		} else if (kind->periodic && task->class == MODEL_EDF) {
			task->period_ns = between(&random, 3000 * US, 15000 * US);
			draw_jobs(&writer);
		} else {
			draw_steps(&writer);
		}
	}
}
