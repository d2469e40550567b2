/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Virtual time: it starts at a fixed instant and moves only at scheduling points. */
#include "cpu.h"
#include "engine.h"
#include "state.h"

uint64_t hal_now_ns(void)
{
	if (sim_foreign())
		return sim_engine.now_ns;
	/* So a polling loop advances, and the time that is read is later than all that precedes
	 * it. */
	sim_cpu_point(SIM_POINT_NOW);
	return sim_engine.now_ns;
}

int64_t hal_wall_offset_ns(void)
{
	return sim_run.wall_offset_ns;
}

uint64_t hal_wall_ns(void)
{
	return hal_now_ns() + (uint64_t)hal_wall_offset_ns();
}

/* Accounting must not change what it measures: reading this is no scheduling point. */
uint64_t hal_ticks(void)
{
	return sim_engine.now_ns;
}

uint64_t hal_ticks_to_ns(uint64_t ticks)
{
	return ticks;
}

uint64_t hal_sim_now(void)
{
	return sim_engine.now_ns;
}

void hal_sim_set_wall_ns(int64_t wall_ns)
{
	sim_run.wall_offset_ns = wall_ns - (int64_t)sim_engine.now_ns;
	nuc_upcall_wall_changed();
}

/* Code takes no time: nothing is anticipated except what the scenario says. */
void hal_gravity(const struct hal_cpu *cpu, struct hal_gravity *gravity)
{
	(void)cpu;
	*gravity = (struct hal_gravity){.idle_ns = sim_run.gravity_idle_ns,
					.preempt_ns = sim_run.gravity_preempt_ns};
}

uint64_t hal_spin_until(uint64_t instant_ns)
{
	struct sim_entity *self = sim_engine.current;
	uint64_t since_ns = self->now_ns;

	if (sim_foreign() || instant_ns <= since_ns)
		return hal_ticks();
	sim_engine_wait(SIM_POINT_SPIN, SIM_RUNS, instant_ns);
	if (self->cpu)
		self->cpu->spun_ns += self->now_ns - since_ns;
	sim_cpu_deliver();
	return hal_ticks();
}
