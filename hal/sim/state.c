/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of a simulation, from the loading of the library on. */

#include "state.h"

#include <pthread.h>

struct sim_engine sim_engine;
struct sim_run sim_run = {.wall_offset_ns = SIM_WALL_OFFSET_NS};

static pthread_t host;
static bool forked;

static void in_child(void);

static void init(void)
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

/* Calls before hal_start() find a simulation of one entity, the thread that loaded the library. */
__attribute__((constructor)) static void load(void)
{
	host = pthread_self();
	init();
	(void)pthread_atfork(NULL, NULL, in_child);
}

void sim_state_reset(void)
{
	host = pthread_self();
	init();
}

/* The child of a fork has neither the pools nor the stacks: no thread of it belongs to the
 * simulation. */
static void in_child(void)
{
	forked = sim_engine.started;
}

bool sim_foreign(void)
{
	return forked || !pthread_equal(host, pthread_self());
}
