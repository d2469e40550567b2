/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The engine: guarantees that at every instant the entity with the smallest time runs, that ties
 * are broken by a fixed rule or by the seed and by nothing else, and that a simulation in which
 * nothing can happen any more says so instead of hanging.
 */
#include "engine.h"

#include <pthread.h>
#include <stdio.h>

#include "arch/context.h"
#include "hal/linux.h"
#include "port.h"

struct sim_engine sim_engine;

static pthread_t host;
static bool forked;

static void in_child(void);

static void engine_init(void)
{
	struct sim_entity *main = &sim_engine.main;

	sim_engine = (struct sim_engine){.now_ns = SIM_START_NS, .next_id = SIM_ID_FIRST_DYNAMIC};
	base_list_init(&sim_engine.entities);
	*main = (struct sim_entity){.now_ns = SIM_START_NS,
				    .due_ns = SIM_START_NS,
				    .kind = SIM_LINUX,
				    .id = SIM_ID_MAIN,
				    .pace = 1,
				    .name = "main"};
	base_list_push_back(&main->all, &sim_engine.entities);
	sim_engine.limit_ns = SIM_NEVER;
	sim_engine.current = main;
}

/* Calls that precede hal_start() find a simulation of one entity, the thread that loaded us. */
__attribute__((constructor)) static void engine_load(void)
{
	host = pthread_self();
	engine_init();
	(void)pthread_atfork(NULL, NULL, in_child);
}

void sim_engine_reset(void)
{
	host = pthread_self();
	engine_init();
}

/* A fork's child has neither the pools nor the stacks: nobody in it is of the simulation. */
static void in_child(void)
{
	forked = sim_engine.started;
}

bool sim_foreign(void)
{
	return forked || !pthread_equal(host, pthread_self());
}

static void stuck(void)
{
	char who[768];
	char record[1024];

	sim_entity_describe(who, sizeof(who));
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
			/* Each of n equals is chosen with probability 1 / n; unseeded the first is.
			 */
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
	sim_entity_reap();
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
