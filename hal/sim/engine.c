/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine. It guarantees that at every instant the entity with the smallest time runs; that only
 * a fixed rule or the seed breaks ties; and that a simulation in which nothing can happen any more
 * reports this and does not hang. An entity begins on a stack of its own. An entity that ends
 * itself is still on its stack, so the entity that runs next frees the stack.
 */

#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/context.h"
#include "base/error.h"
#include "panic.h"
#include "perturb.h"
#include "stack.h"
#include "state.h"
#include "trace.h"

#define DESCRIBED_MAX 8u

static const char *wait_name(const struct sim_entity *entity)
{
	switch (entity->wait) {
	case SIM_IDLES:
		return "idles without a deadline";
	case SIM_WAITS_WORD:
		return "waits for a word that nobody is left to set";
	case SIM_PARKED:
		return "is parked";
	case SIM_ENDED:
		return "has ended";
	case SIM_COMPUTES:
	case SIM_RUNS:
		break;
	}
	return "runs";
}

/* "cpu 0 idles without a deadline; …" */
static void describe(char *text, size_t capacity)
{
	size_t used = 0;
	unsigned count = 0;

	text[0] = '\0';
	base_list_for_each(node, &sim_engine.entities) {
		struct sim_entity *entity = base_container_of(node, struct sim_entity, all);

		if (entity->kind == SIM_WATCHER)
			continue;
		if (++count > DESCRIBED_MAX || used >= capacity)
			continue;
		used += (size_t)snprintf(text + used, capacity - used, "%s%s %s",
					 count == 1 ? "" : "; ", entity->name, wait_name(entity));
	}
	if (count > DESCRIBED_MAX && used < capacity)
		snprintf(text + used, capacity - used, "; and %u more", count - DESCRIBED_MAX);
}

void sim_entity_remove(struct sim_entity *entity)
{
	base_list_unlink(&entity->all);
	/* The flow may have been in a task's context, whose fibre belongs to the task. */
	entity->flow.sanitizer = entity->fibre;
	hal_arch_discard(&entity->flow);
	if (entity->stack.base)
		hal_stack_put(&entity->stack);
	if (entity->fault_stack.base)
		hal_stack_put(&entity->fault_stack);
	entity->stack.base = NULL;
	entity->fault_stack.base = NULL;
	if (entity->dynamic)
		free(entity);
}

/* Free an entity that ended itself; the entity that runs next calls this. */
static void reap(void)
{
	struct sim_entity *ended = sim_engine.ended;

	if (!ended)
		return;
	sim_engine.ended = NULL;
	sim_entity_remove(ended);
}

static void stuck(void)
{
	char who[768];
	char record[1024];

	describe(who, sizeof(who));
	snprintf(record, sizeof(record),
		 "simulation is stuck: nothing can ever happen again at %llu ns: %s",
		 (unsigned long long)sim_engine.now_ns, who);
	hal_panic(record);
}

static struct sim_entity *earliest(void)
{
	struct sim_entity *best = NULL;
	uint32_t ties = 0;
	bool alive = false;

	base_list_for_each(node, &sim_engine.entities) {
		struct sim_entity *entity = base_container_of(node, struct sim_entity, all);

		if (entity->due_ns == SIM_NEVER)
			continue;
		/* The watcher alone keeps no simulation alive. */
		alive |= entity->kind != SIM_WATCHER;
		if (!best || entity->due_ns < best->due_ns) {
			best = entity;
			ties = 1;
		} else if (entity->due_ns == best->due_ns) {
			/* With a seed each of n equals is chosen with probability 1 / n; without
			 * one the first is. */
			ties++;
			if (sim_perturb_choose(ties) == 0)
				best = entity;
		}
	}
	if (!alive)
		stuck();
	return best;
}

static void hand_over(enum sim_point point)
{
	struct sim_entity *self = sim_engine.current;
	struct sim_entity *next;

	sim_engine.heartbeat++;
	sim_engine.points[point]++;
	next = earliest();
	next->now_ns = next->due_ns;
	sim_engine.now_ns = next->now_ns;
	sim_trace_record(self, point, next);
	if (next->now_ns > sim_engine.limit_ns)
		sim_panicf("simulation ran past its limit of %llu ns of virtual time",
			   (unsigned long long)(sim_engine.limit_ns - SIM_START_NS));
	if (next == self)
		return;
	sim_engine.hand_overs++;
	sim_engine.current = next;
	if (self->wait == SIM_ENDED)
		hal_arch_switch_last(&self->flow, &next->flow);
	hal_arch_switch(&self->flow, &next->flow);
	reap();
}

void sim_engine_spend(enum sim_point point, uint64_t cost_ns)
{
	struct sim_entity *self = sim_engine.current;

	self->due_ns = sim_add_ns(self->now_ns, cost_ns);
	hand_over(point);
}

void sim_engine_point(enum sim_point point)
{
	sim_engine_spend(point, sim_perturb_cost(sim_engine.current));
}

void sim_engine_wait(enum sim_point point, enum sim_wait wait, uint64_t until_ns)
{
	struct sim_entity *self = sim_engine.current;

	self->wait = wait;
	self->due_ns = until_ns < self->now_ns ? self->now_ns : until_ns;
	hand_over(point);
	/* Still the same entity: flows that wait here do not move. */
	self->wait = SIM_RUNS;
}

void sim_engine_make_due(struct sim_entity *entity, uint64_t instant_ns)
{
	if (instant_ns < sim_engine.now_ns)
		instant_ns = sim_engine.now_ns;
	if (instant_ns < entity->due_ns)
		entity->due_ns = instant_ns;
}

/* End the calling entity. */
static __attribute__((noreturn)) void end(void)
{
	struct sim_entity *self = sim_engine.current;

	base_list_unlink(&self->all);
	if (self->dynamic)
		sim_engine.ended = self;
	self->wait = SIM_ENDED;
	sim_engine_wait(SIM_POINT_END, SIM_ENDED, SIM_NEVER);
	__builtin_unreachable();
}

static void entity_main(void *arg)
{
	struct sim_entity *self = arg;

	reap();
	self->entry(self->arg);
	end();
}

/* Sorted by id: without a seed, at equal times, CPUs go before Linux and older entities before
 * younger ones. */
static void insert(struct sim_entity *entity)
{
	struct base_list *where = sim_engine.entities.prev;

	while (where != &sim_engine.entities &&
	       base_container_of(where, struct sim_entity, all)->id > entity->id)
		where = where->prev;
	base_list_insert_before(&entity->all, where->next);
}

/* Names are words in the trace: those that users give get a number to distinguish them, and contain
 * no space. */
static void set_name(struct sim_entity *entity, const char *name)
{
	if (!entity->dynamic) {
		snprintf(entity->name, sizeof(entity->name), "%s", name);
		return;
	}
	snprintf(entity->name, sizeof(entity->name), "%.12s#%u", name ? name : "", entity->id);
	for (char *at = entity->name; *at; at++)
		*at = *at <= ' ' || *at > '~' ? '_' : *at;
}

int sim_entity_start(struct sim_entity *entity, enum sim_kind kind, uint32_t id, const char *name,
		     size_t stack_bytes, void (*entry)(void *arg), void *arg)
{
	int status = sim_stack_map(stack_bytes, &entity->stack);

	if (status)
		return status;
	entity->kind = kind;
	entity->id = id;
	entity->wait = SIM_RUNS;
	entity->pace = 1;
	entity->entry = entry;
	entity->arg = arg;
	set_name(entity, name);
	entity->now_ns = sim_engine.now_ns;
	entity->due_ns = sim_engine.now_ns;
	hal_arch_prepare(&entity->flow, entity->stack.base, entity->stack.bytes, 0, entity_main,
			 entity);
	entity->fibre = entity->flow.sanitizer;
	insert(entity);
	return 0;
}

struct sim_entity *sim_entity_new(void)
{
	struct sim_entity *entity = calloc(1, sizeof(*entity));

	if (entity)
		entity->dynamic = true;
	return entity;
}
