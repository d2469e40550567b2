/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks that do what their programs say, and note when. */
#include "live.h"

#include <inttypes.h>

#include <tactus/mutex.h>
#include <tactus/port.h>
#include <tactus/quota.h>
#include <tactus/rwlock.h>

#include "test.h"

#define ABOVE_ALL 100u /* priority */

static const struct program *program;
static struct course *actual;
static uint64_t over_ns;
static tact_time_t begin;
/* By its kind. */
static union lock {
	tact_mutex_t mutex;
	tact_rwlock_t rwlock;
	tact_port_t port;
} lock[MODEL_LOCKS];
static tact_quota_t group[MODEL_CPUS];

static uint64_t since_begin(void)
{
	return tact_now().ns - begin.ns;
}

static void await_release(const struct task_program *own)
{
	tact_time_t release = tact_time_add(begin, own->release_ns);

	if (own->class != MODEL_EDF) {
		expect_ok(tact_task_sleep_until(tact_at(release)));
		return;
	}
	expect_ok(tact_task_set_periodic(TACT_SELF, release,
					 own->period_ns ? own->period_ns : 10000 * TEST_MS));
	expect_ok(tact_task_wait_period(NULL, NULL));
}

/* The request of the server whose step this is. */
static int do_step(const struct step *step, uint64_t *request)
{
	tact_timeout_t timeout = step->ns == MODEL_NEVER ? TACT_FOREVER : tact_in(step->ns);
	const union lock *what = &lock[step->lock];
	bool is_mutex = program->kind[step->lock] == MODEL_MUTEX;
	struct tact_port_message message = {0};
	int result;

	switch (step->kind) {
	case STEP_COMPUTE:
		tact_compute(step->ns);
		return 0;
	case STEP_SLEEP:
		return tact_task_sleep(step->ns);
	case STEP_LOCK:
		return is_mutex ? tact_mutex_lock(what->mutex, timeout)
				: tact_rwlock_write(what->rwlock, timeout);
	case STEP_READ:
		return tact_rwlock_read(what->rwlock, timeout);
	case STEP_SEND:
		return tact_port_send(what->port, NULL, 0, NULL, 0, timeout);
	case STEP_RECEIVE:
		result = tact_port_receive(what->port, NULL, 0, &message, timeout);
		*request = message.request;
		return result;
	case STEP_RELEASE:
		result = tact_task_wait_period(NULL, NULL);
		/* One that has passed. */
		return result == -TACT_ETIMEDOUT ? 0 : result;
	case STEP_REPLY:
		/* The client may have given up. */
		(void)tact_port_reply(what->port, *request, NULL, 0);
		return 0;
	default:
		return is_mutex ? tact_mutex_unlock(what->mutex) : tact_rwlock_unlock(what->rwlock);
	}
}

/* It has its effect at once, and may not return for long. */
static bool gives_way(const struct step *step)
{
	return step->kind == STEP_UNLOCK || step->kind == STEP_REPLY;
}

static void live(void *index)
{
	uint32_t who = (uint32_t)(uintptr_t)index;
	const struct task_program *own = &program->task[who];
	uint64_t request = 0;

	await_release(own);
	for (uint32_t i = 0; own->step[i].kind != STEP_END;) {
		const struct step *step = &own->step[i];
		uint64_t called_ns = since_begin();
		int result = do_step(step, &request);

		actual->ended_ns[who][i] = gives_way(step) ? called_ns : since_begin();
		actual->locked[who][i] = !result;
		if (result && result != -TACT_ETIMEDOUT)
			test_fail(__FILE__, __LINE__, "seed %" PRIu64 ", task %u, step %u: %d",
				  program->seed, who, i, result);
		i = result ? step->on_error : i + 1;
	}
}

static struct tact_sched_param class_of(const struct task_program *own)
{
	struct tact_sched_param sched = {.deadline_ns = own->deadline_ns,
					 .budget_ns = own->slice_ns,
					 .replenish_ns = own->renewal_ns};

	switch (own->class) {
	case MODEL_EDF:
		sched.sched_class = TACT_SCHED_EDF;
		break;
	case MODEL_RR:
		sched.sched_class = TACT_SCHED_RR;
		sched.quantum_ns = own->slice_ns;
		break;
	case MODEL_QUOTA:
		sched.sched_class = TACT_SCHED_QUOTA;
		sched.quota_group = group[own->cpu];
		break;
	case MODEL_SPORADIC:
		sched.sched_class = TACT_SCHED_SPORADIC;
		sched.low_priority = own->low_priority;
		break;
	case MODEL_CBS:
		sched.sched_class = TACT_SCHED_CBS;
		break;
	default:
		break;
	}
	return sched;
}

static tact_task_t spawn(uint32_t who)
{
	const struct task_program *own = &program->task[who];
	const struct tact_sched_param sched = class_of(own);
	struct tact_task_attr attr = {.priority = own->priority,
				      .flags = TACT_TASK_LIGHT | TACT_ON_CPU(own->cpu),
				      .sched = &sched};
	tact_task_t task;

	expect_ok(tact_task_spawn(&attr, live, (void *)(uintptr_t)who, &task));
	return task;
}

static void create(uint32_t which)
{
	uint32_t flags = TACT_PRIO | TACT_ON_CPU(program->home[which]);

	if (program->kind[which] == MODEL_MUTEX)
		expect_ok(tact_mutex_create(NULL, flags, 0, &lock[which].mutex));
	else if (program->kind[which] == MODEL_RWLOCK)
		expect_ok(tact_rwlock_create(NULL, MODEL_TASKS, flags, &lock[which].rwlock));
	else
		expect_ok(tact_port_create(NULL, flags, &lock[which].port));
}

static void remove_lock(uint32_t which)
{
	if (program->kind[which] == MODEL_MUTEX)
		expect_ok(tact_mutex_delete(lock[which].mutex));
	else if (program->kind[which] == MODEL_RWLOCK)
		expect_ok(tact_rwlock_delete(lock[which].rwlock));
	else
		expect_ok(tact_port_delete(lock[which].port));
}

/* Above them all, so that they begin together. */
static void run_all(void *unused)
{
	tact_task_t task[MODEL_TASKS];

	(void)unused;
	for (uint32_t i = 0; i < MODEL_TASKS; i++)
		for (uint32_t step = 0; step < MODEL_STEPS; step++)
			actual->ended_ns[i][step] = MODEL_NEVER;
	for (uint32_t i = 0; i < program->locks; i++)
		create(i);
	begin = tact_time_add(tact_now(), MODEL_LEAD_NS);
	for (uint32_t cpu = 0; cpu < program->cpus && program->interval_ns[cpu]; cpu++)
		expect_ok(tact_quota_create(NULL, program->interval_ns[cpu], program->quota_ns[cpu],
					    0, TACT_ON_CPU(cpu), &group[cpu]));
	for (uint32_t i = 0; i < program->tasks; i++)
		task[i] = spawn(i);
	/* Not while they run: the report of an end would take the processor from them. */
	expect_ok(tact_task_sleep_until(tact_at(tact_time_add(begin, over_ns + TEST_MS))));
	for (uint32_t i = 0; i < program->tasks; i++) {
		int result = tact_task_join(task[i], TEST_LONG);

		if (result)
			test_fail(__FILE__, __LINE__, "seed %" PRIu64 ", task %u: joined with %d",
				  program->seed, i, result);
	}
	for (uint32_t i = 0; i < program->locks; i++)
		remove_lock(i);
	for (uint32_t cpu = 0; cpu < program->cpus && program->interval_ns[cpu]; cpu++)
		expect_ok(tact_quota_delete(group[cpu]));
}

void model_live(const struct program *lived, uint64_t end_ns, struct course *course)
{
	program = lived;
	over_ns = end_ns;
	actual = course;
	test_join(test_spawn_on(0, ABOVE_ALL, run_all, NULL));
}
