/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Entities: their birth on a stack of their own, their end, and what they wait for in words. An
 * entity that ends itself still stands on its stack; the next one that runs frees it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/context.h"
#include "base/error.h"
#include "engine.h"
#include "port.h"

#define DESCRIBED_MAX 8u

static void entity_main(void *arg)
{
	struct sim_entity *self = arg;

	sim_entity_reap();
	self->entry(self->arg);
	sim_entity_end();
}

/* By id: without a seed, CPUs go before Linux at equal times, and the older before the younger. */
static void insert(struct sim_entity *entity)
{
	struct base_list *where = sim_engine.entities.prev;

	while (where != &sim_engine.entities &&
	       base_container_of(where, struct sim_entity, all)->id > entity->id)
		where = where->prev;
	base_list_insert_before(&entity->all, where->next);
}

/* Words in the trace: names that users give are told apart by number and hold no space. */
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

void sim_entity_end(void)
{
	struct sim_entity *self = sim_engine.current;

	base_list_unlink(&self->all);
	if (self->dynamic)
		sim_engine.ended = self;
	self->wait = SIM_ENDED;
	sim_engine_wait(SIM_POINT_END, SIM_ENDED, SIM_NEVER);
	__builtin_unreachable();
}

void sim_entity_remove(struct sim_entity *entity)
{
	base_list_unlink(&entity->all);
	/* The flow may have been in a task's context, whose fibre is the task's. */
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

void sim_entity_reap(void)
{
	struct sim_entity *ended = sim_engine.ended;

	if (!ended)
		return;
	sim_engine.ended = NULL;
	sim_entity_remove(ended);
}

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

void sim_entity_describe(char *text, size_t capacity)
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
