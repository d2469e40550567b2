/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Inheritance between processes. The task that serves a thread at an owner is raised there by the
 * tasks that wait for what it has, while the thread itself is in another process. So the thread
 * owns a mutex of its own nucleus meanwhile, its stand-in. If the owner reports that it is raised,
 * a task of that priority waits for the stand-in, and the nucleus raises the thread. If the raised
 * thread waits in a call itself, the owner of that call is told.
 */
#include "caller.h"

/* The task ends as soon as it has the mutex. */
static void wait_for_stand_in(void *arg)
{
	tact_mutex_t stand_in = {(uint32_t)(uintptr_t)arg};
	int error = tact_mutex_lock(stand_in, TACT_FOREVER);

	if (error == -TACT_EOWNERDEAD)
		(void)tact_mutex_consistent(stand_in);
	if (!error || error == -TACT_EOWNERDEAD)
		(void)tact_mutex_unlock(stand_in);
}

/* Only tasks can be raised. */
static void stand(struct caller *caller)
{
	tact_mutex_t stand_in = caller->stand_in;

	if (!caller->task.id)
		return;
	if (!stand_in.id) {
		if (tact_mutex_create(NULL, TACT_PRIO, 0, &stand_in))
			return;
		callers_lock();
		caller->stand_in = stand_in;
		callers_unlock();
	}
	caller->stands = !tact_mutex_lock(stand_in, TACT_FOREVER);
}

void caller_holds(struct caller *caller, struct channel *channel, bool holds)
{
	if (channel->holds == holds)
		return;
	channel->holds = holds;
	if (holds && !caller->holding++)
		stand(caller);
	else if (!holds && !--caller->holding && caller->stands)
		caller->stands = tact_mutex_unlock(caller->stand_in) != 0;
}

/* The priority to which all owners except this peer raise it. */
static uint32_t raised_but_by(const struct caller *caller, uint64_t peer)
{
	uint32_t highest = 0;

	for (uint32_t i = 0; i < RAISERS; i++)
		if (caller->by[i].peer != peer && caller->by[i].priority > highest)
			highest = caller->by[i].priority;
	return highest;
}

/* If more than RAISERS owners raise a thread at a time, only the first of them count. */
static void note(struct caller *caller, uint64_t peer, uint32_t priority)
{
	uint32_t i = 0;

	while (i < RAISERS && caller->by[i].peer != peer)
		i++;
	for (uint32_t empty = 0; i == RAISERS && empty < RAISERS; empty++)
		if (!caller->by[empty].priority)
			i = empty;
	if (i < RAISERS) {
		caller->by[i].peer = peer;
		caller->by[i].priority = priority;
	}
	atomic_store(&caller->raised, raised_but_by(caller, 0));
}

/* Set if the node's thread is to look at the raisers. A task that holds the callers' lock may not
 * do it, because it may end in a service of the nucleus. */
static _Atomic bool unsettled;

void caller_left_by(struct caller *caller, uint64_t peer)
{
	if (!atomic_load(&caller->raised))
		return;
	callers_lock();
	note(caller, peer, 0);
	callers_unlock();
	atomic_store(&unsettled, true);
	session_node_wake();
}

void caller_stand_down(struct caller *caller)
{
	if (caller->stand_in.id)
		(void)tact_mutex_delete(caller->stand_in);
}

uint32_t caller_priority(struct caller *caller, const struct session_owner *owner, uint32_t base,
			 uint32_t effective)
{
	uint32_t others;

	if (!atomic_load(&caller->raised))
		return effective;
	callers_lock();
	others = raised_but_by(caller, owner->peer);
	callers_unlock();
	return others > base ? others : base;
}

/* If a thread is not raised any more, its raiser gets the least priority, and waits until the
 * thread gives back what it has. */
static void wait_at(struct caller *caller, uint32_t priority)
{
	struct tact_task_attr attr = {.flags = TACT_TASK_NO_JOIN, .priority = priority};

	if (caller->raiser.id &&
	    !tact_task_set_priority(caller->raiser, priority ? priority : TACT_PRIORITY_MIN, 0,
				    NULL))
		return;
	caller->raiser.id = 0;
	if (priority && caller->stand_in.id)
		(void)tact_task_spawn(&attr, wait_for_stand_in,
				      (void *)(uintptr_t)caller->stand_in.id, &caller->raiser);
}

static void settle(struct caller *caller)
{
	wait_at(caller, atomic_load(&caller->raised));
}

void session_raise_settle(void)
{
	if (!atomic_exchange(&unsettled, false))
		return;
	callers_lock();
	callers_each(settle);
	callers_unlock();
}

/* The owner ignores this if that call is over. */
static void raise_wait(const struct caller *caller)
{
	const struct session_owner *owner = atomic_load(&caller->wait.owner);
	struct session_hello hello = session_hello(SESSION_PRIORITY, caller->number);
	uint32_t told = atomic_load(&caller->wait.priority);
	uint32_t others;

	if (!owner)
		return;
	others = raised_but_by(caller, owner->peer);
	hello.sequence = atomic_load(&caller->wait.sequence);
	hello.priority = others > told ? others : told;
	(void)session_notify(owner->node, &hello);
}

void session_follow(tact_task_t task, uint32_t priority)
{
	struct caller *caller;

	if (!callers_may_have(task))
		return;
	callers_lock();
	caller = caller_that_waits(task);
	if (caller) {
		atomic_store(&caller->wait.priority, priority);
		raise_wait(caller);
	}
	callers_unlock();
}

void session_raise(uint64_t thread, uint64_t peer, uint32_t priority)
{
	struct caller *caller;

	callers_lock();
	caller = caller_of(thread);
	if (caller) {
		note(caller, peer, priority);
		wait_at(caller, atomic_load(&caller->raised));
		raise_wait(caller);
	}
	callers_unlock();
}
