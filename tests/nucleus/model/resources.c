/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The resources of the reference: mutexes, reader-writer locks that prefer writers, and ports. An
 * owner, a writer, or the server of a client is as urgent as the tasks that wait for it; while a
 * server serves, it is as urgent as all clients at the port. A free resource goes to the most
 * urgent waiter.
 */
#include "world.h"

#define TOLD_AT_ONCE 2

static bool waits_for(const struct world *world, uint32_t waiter, uint32_t resource)
{
	return world->task[waiter].state == WAITING && world->task[waiter].wanted == resource;
}

static bool is_served(const struct world *world, uint32_t client)
{
	for (uint32_t i = 0; i < world->program->tasks; i++)
		if (world->task[i].client == client)
			return true;
	return false;
}

static bool is_server(const struct world *world, uint32_t who)
{
	return step_of(world, who)->kind == STEP_RECEIVE;
}

/* Does this waiter keep that task going? */
static bool lends_to(const struct world *world, uint32_t waiter, uint32_t who)
{
	uint32_t wanted = world->task[waiter].wanted;
	uint32_t client = world->task[who].client;

	if (world->task[waiter].state != WAITING || wanted == NOBODY)
		return false;
	if (world->program->kind[wanted] != MODEL_PORT)
		return world->owner[wanted] == who;
	if (is_server(world, waiter))
		return false;
	return client == waiter || (client != NOBODY && world->task[client].wanted == wanted &&
				    !is_served(world, waiter));
}

struct rank demand_on(struct world *world, uint32_t who)
{
	struct rank most = {0, MODEL_NEVER};

	for (uint32_t i = 0; i < world->program->tasks; i++) {
		struct rank rank;

		if (!lends_to(world, i, who))
			continue;
		rank = rank_of(world, i);
		if (!most.priority || rank_before(world, rank, most))
			most = rank;
	}
	return most;
}

enum queue { WANT_IT, WANT_TO_READ, WANT_TO_WRITE, SERVERS, CLIENTS };

static bool stands_in(const struct world *world, uint32_t who, uint32_t resource, enum queue queue)
{
	if (!waits_for(world, who, resource))
		return false;
	switch (queue) {
	case WANT_TO_READ:
		return !world->task[who].writes;
	case WANT_TO_WRITE:
		return world->task[who].writes;
	case SERVERS:
		return is_server(world, who);
	case CLIENTS:
		return !is_server(world, who) && !is_served(world, who);
	default:
		return true;
	}
}

/* As they rank while they still wait. */
static uint32_t first_of(struct world *world, uint32_t resource, enum queue queue)
{
	uint32_t first = NOBODY;

	for (uint32_t i = 0; i < world->program->tasks; i++) {
		struct rank a, b;

		if (!stands_in(world, i, resource, queue))
			continue;
		if (first == NOBODY) {
			first = i;
			continue;
		}
		a = rank_of(world, i);
		b = rank_of(world, first);
		if (rank_before(world, a, b) ||
		    (!rank_before(world, b, a) &&
		     world->task[i].wait_place < world->task[first].wait_place))
			first = i;
	}
	return first;
}

static void wait_for(struct world *world, uint32_t who, bool writes)
{
	const struct step *step = step_of(world, who);
	struct state_of_task *task = &world->task[who];

	task->state = WAITING;
	task->wanted = step->lock;
	task->writes = writes;
	task->timeout_ns = step->ns == MODEL_NEVER ? MODEL_NEVER : world->now_ns + step->ns;
	task->wait_place = ++world->last_place;
	class_blocks(world, who);
}

/* All that can be let in are. */
static void admit(struct world *world, uint32_t resource)
{
	uint32_t readers = 0;

	while (world->owner[resource] == NOBODY) {
		uint32_t writer = first_of(world, resource, WANT_TO_WRITE);
		uint32_t reader = first_of(world, resource, WANT_TO_READ);

		if (writer == NOBODY && reader == NOBODY)
			return;
		if (writer == NOBODY) {
			world->readers[resource] |= 1u << reader;
			wake(world, reader, HAD);
			/* Many waiters are told in pieces, when no more urgent task is ready. */
			if (++readers > TOLD_AT_ONCE)
				world->unsure = true;
		} else if (!world->readers[resource]) {
			world->owner[resource] = writer;
			wake(world, writer, HAD);
		} else {
			return;
		}
		update_places(world);
	}
}

bool lock_resource(struct world *world, uint32_t who)
{
	const struct step *step = step_of(world, who);
	uint32_t lock = step->lock;
	bool reads = step->kind == STEP_READ;

	if (world->owner[lock] == NOBODY && reads &&
	    first_of(world, lock, WANT_TO_WRITE) == NOBODY) {
		world->readers[lock] |= 1u << who;
		return true;
	}
	if (world->owner[lock] == NOBODY && !reads && !world->readers[lock]) {
		world->owner[lock] = who;
		return true;
	}
	wait_for(world, who, !reads);
	return false;
}

void unlock_resource(struct world *world, uint32_t who)
{
	uint32_t lock = step_of(world, who)->lock;
	uint32_t next;

	if (world->program->kind[lock] == MODEL_RWLOCK) {
		if (world->owner[lock] == who)
			world->owner[lock] = NOBODY;
		world->readers[lock] &= ~(1u << who);
		update_places(world);
		admit(world, lock);
		return;
	}
	next = first_of(world, lock, WANT_IT);
	world->owner[lock] = next;
	if (next != NOBODY)
		wake(world, next, HAD);
}

static void serve(struct world *world, uint32_t server, uint32_t client)
{
	world->task[server].client = client;
	world->task[server].request = ++world->requests;
}

bool send_message(struct world *world, uint32_t who)
{
	uint32_t port = step_of(world, who)->lock;
	uint32_t server = first_of(world, port, SERVERS);

	wait_for(world, who, false);
	if (server != NOBODY) {
		serve(world, server, who);
		wake(world, server, HAD);
	}
	return false;
}

bool receive_message(struct world *world, uint32_t who)
{
	uint32_t port = step_of(world, who)->lock;
	uint32_t client = first_of(world, port, CLIENTS);

	if (client == NOBODY) {
		wait_for(world, who, false);
		return false;
	}
	serve(world, who, client);
	return true;
}

void reply_message(struct world *world, uint32_t who)
{
	uint32_t client = world->task[who].client;

	world->task[who].client = NOBODY;
	if (client != NOBODY)
		wake(world, client, HAD);
}

/* Its time is up. The tasks that waited for its departure are let in before it continues. */
void leave_resource(struct world *world, uint32_t who)
{
	uint32_t wanted = world->task[who].wanted;

	world->task[who].wanted = NOBODY;
	for (uint32_t i = 0; i < world->program->tasks; i++)
		if (world->task[i].client == who)
			world->task[i].client = NOBODY;
	update_places(world);
	if (world->program->kind[wanted] == MODEL_RWLOCK)
		admit(world, wanted);
	wake(world, who, IN_VAIN);
	update_places(world);
}
