/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The discrete-event engine of the virtual-time back end. One host thread runs all entities, and
 * always the one with the smallest time. So the code between two scheduling points of an entity
 * runs at one instant, and alone.
 */
#ifndef SIM_ENGINE_H
#define SIM_ENGINE_H

#include "state.h"

/* A scheduling point: time passes (at least 1 ns), and other entities whose time has come run. */
void sim_engine_point(enum sim_point point);

/* The same with a given cost, which may be 0 if the entity has advanced its time itself. */
void sim_engine_spend(enum sim_point point, uint64_t cost_ns);

/* Sleep until the instant, or until another entity makes this one due earlier. */
void sim_engine_wait(enum sim_point point, enum sim_wait wait, uint64_t until_ns);

/* The entity is due no later than the instant (and not before now). */
void sim_engine_make_due(struct sim_entity *entity, uint64_t instant_ns);

/* An entity that runs entry(arg) on a stack of its own from now on. 0 or -TACT_Exxx. */
int sim_entity_start(struct sim_entity *entity, enum sim_kind kind, uint32_t id, const char *name,
		     size_t stack_bytes, void (*entry)(void *arg), void *arg);
/* An entity from the heap, which is freed when it has ended; NULL: no memory. */
struct sim_entity *sim_entity_new(void);
/* Remove an entity that does not run from the simulation, and free its stacks. */
void sim_entity_remove(struct sim_entity *entity);

#endif
