/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Actors: see actors.h. */
#include "actors.h"

#include <unistd.h>

#define TRIES 20000

static void live(void *arg)
{
	struct actor *actor = arg;
	/* The record may serve another actor, once this one has nothing more to do. */
	tact_sem_t begin = actor->begin;
	tact_sem_t end = actor->end;

	for (;;) {
		expect_ok(tact_sem_wait(begin, TACT_FOREVER));
		if (!actor->act)
			return;
		actor->result = actor->act(actor);
		if (actor->name)
			mark(actor->name);
		expect_ok(tact_sem_post(end));
	}
}

void actor_start(struct actor *actor, uint32_t cpu, uint32_t priority)
{
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(cpu), &actor->begin));
	expect_ok(tact_sem_create(NULL, 0, 1, TACT_ON_CPU(cpu), &actor->end));
	actor->name = NULL;
	actor->task = test_spawn_on(cpu, priority, live, actor);
}

void actor_begin(struct actor *actor, int (*act)(struct actor *), tact_handle_t object,
		 tact_timeout_t timeout)
{
	actor->act = act;
	actor->object = object;
	actor->timeout = timeout;
	actor->result = 1;
	expect_ok(tact_sem_post(actor->begin));
}

int actor_result(struct actor *actor)
{
	expect_ok(tact_sem_wait(actor->end, TEST_LONG));
	return actor->result;
}

int actor_do(struct actor *actor, int (*act)(struct actor *), tact_handle_t object)
{
	actor_begin(actor, act, object, TEST_LONG);
	return actor_result(actor);
}

int act_lock(struct actor *actor)
{
	return tact_mutex_lock(actor->object, actor->timeout);
}

int act_unlock(struct actor *actor)
{
	return tact_mutex_unlock(actor->object);
}

int act_consistent(struct actor *actor)
{
	return tact_mutex_consistent(actor->object);
}

int act_wait(struct actor *actor)
{
	return tact_cond_wait(actor->object, actor->second, actor->timeout);
}

int act_read(struct actor *actor)
{
	return tact_rwlock_read(actor->object, actor->timeout);
}

int act_write(struct actor *actor)
{
	return tact_rwlock_write(actor->object, actor->timeout);
}

int act_leave(struct actor *actor)
{
	return tact_rwlock_unlock(actor->object);
}

int act_lock_rwlock_consistent(struct actor *actor)
{
	return tact_rwlock_consistent(actor->object);
}

static void pause_a_little(void)
{
	if (test_on_sim())
		tact_compute(5000);
	else
		usleep(500);
}

void actor_blocks_for(struct actor *actor, int (*act)(struct actor *), tact_handle_t object,
		      tact_timeout_t timeout)
{
	struct tact_task_info info;

	actor_begin(actor, act, object, timeout);
	for (int i = 0; i < TRIES; i++) {
		expect_ok(tact_task_inquire(actor->task, &info));
		if (info.state & TACT_TASK_STATE_WAITING && info.waits_for == object)
			return;
		pause_a_little();
	}
	test_fail(__FILE__, __LINE__,
		  "expected to wait for 0x%x, actual state 0x%x, waits for 0x%x", object,
		  info.state, info.waits_for);
}

void actor_blocks(struct actor *actor, int (*act)(struct actor *), tact_handle_t object)
{
	actor_blocks_for(actor, act, object, TEST_LONG);
}

void actor_end(struct actor *actor)
{
	actor->act = NULL;
	expect_ok(tact_sem_post(actor->begin));
	test_join(actor->task);
}

void expect_priority_at(const char *file, int line, const struct actor *actor, uint32_t priority)
{
	struct tact_task_info info;

	for (int i = 0; i < TRIES; i++) {
		expect_ok(tact_task_inquire(actor->task, &info));
		if (info.priority == priority)
			break;
		pause_a_little();
	}
	/* A message that is late must not change it any more. */
	for (int i = 0; i < 5; i++) {
		expect_ok(tact_task_inquire(actor->task, &info));
		if (info.priority != priority)
			test_fail(file, line, "priority: expected %u, actual %u", priority,
				  info.priority);
	}
}

void settle(void)
{
	for (int round = 0; round < 40; round++)
		for (uint32_t cpu = 0; cpu < tact_cpus(); cpu++)
			expect_ok(tact_cpu_inquire(cpu, NULL));
}

void until_waiters(tact_mutex_t mutex, uint32_t waiters)
{
	struct tact_mutex_info info;

	for (int i = 0; i < TRIES; i++) {
		expect_ok(tact_mutex_inquire(mutex, &info));
		if (info.waiters == waiters)
			return;
		pause_a_little();
	}
	test_fail(__FILE__, __LINE__, "waiters: expected %u, actual %u", waiters, info.waiters);
}
