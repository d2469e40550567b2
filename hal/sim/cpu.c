/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Simulated real-time CPUs: the stall bit, kicks, shots, idling, and the delivery of events at the
 * first point where the CPU is not stalled and the event's time has come.
 */
#include "cpu.h"

#include "arch/context.h"
#include "engine.h"
#include "perturb.h"
#include "state.h"

static struct sim_cpu *current_cpu(void)
{
	return sim_engine.current->cpu;
}

static bool event_due(const struct sim_cpu *cpu)
{
	return cpu->hal->self.pending || cpu->kick_ns <= cpu->entity.now_ns ||
	       cpu->shot_ns <= cpu->entity.now_ns;
}

static void consume(struct sim_cpu *cpu)
{
	cpu->hal->self.pending = 0;
	if (cpu->kick_ns <= cpu->entity.now_ns) {
		cpu->kick_ns = SIM_NEVER;
		cpu->hal->interrupts |= cpu->raised;
		cpu->raised = 0;
	}
	if (cpu->shot_ns <= cpu->entity.now_ns)
		cpu->shot_ns = SIM_NEVER;
}

static uint64_t next_event(const struct sim_cpu *cpu)
{
	return cpu->kick_ns < cpu->shot_ns ? cpu->kick_ns : cpu->shot_ns;
}

struct sim_cpu *sim_cpu_stall(void)
{
	struct sim_cpu *cpu = current_cpu();

	if (cpu)
		cpu->hal->self.stalled = 1;
	return cpu;
}

void sim_cpu_unstall(void)
{
	struct sim_cpu *cpu = current_cpu();

	if (cpu)
		cpu->hal->self.stalled = 0;
}

void sim_cpu_deliver(void)
{
	for (;;) {
		struct sim_cpu *cpu = current_cpu();

		if (!cpu || !event_due(cpu))
			return;
		if (cpu->hal->self.stalled) {
			cpu->hal->self.pending = 1;
			return;
		}
		consume(cpu);
		cpu->hal->self.stalled = 1;
		sim_engine.points[SIM_POINT_EVENT]++;
		nuc_upcall_event(cpu->hal);
		/* The flow may be on another CPU by now, or on its shadow. */
		sim_cpu_unstall();
	}
}

void sim_cpu_point(enum sim_point point)
{
	sim_engine_point(point);
	sim_cpu_deliver();
}

struct hal_cpu *hal_enter(void)
{
	struct sim_cpu *cpu;

	if (sim_foreign())
		return NULL;
	sim_cpu_point(SIM_POINT_ENTER);
	cpu = sim_cpu_stall();
	return cpu ? cpu->hal : NULL;
}

void hal_leave(void)
{
	if (sim_foreign())
		return;
	/* Time passes while the CPU is still stalled: other CPUs see it inside its section. */
	sim_engine_point(SIM_POINT_LEAVE);
	sim_cpu_unstall();
	sim_cpu_deliver();
}

bool hal_stalled(void)
{
	struct sim_cpu *cpu = sim_foreign() ? NULL : current_cpu();

	return cpu && cpu->hal->self.stalled;
}

void hal_kick(struct hal_cpu *hal)
{
	struct sim_cpu *cpu = hal->port;
	uint64_t arrival_ns;

	if (sim_foreign() || !sim_engine.started)
		return;
	arrival_ns =
		sim_add_ns(sim_engine.now_ns, sim_perturb_latency(sim_run.options.costs.kick_ns));
	if (arrival_ns < cpu->kick_ns)
		cpu->kick_ns = arrival_ns;
	if (cpu->entity.wait == SIM_IDLES || cpu->entity.wait == SIM_COMPUTES)
		sim_engine_make_due(&cpu->entity, cpu->kick_ns);
	sim_cpu_point(SIM_POINT_KICK);
}

/* There is no Linux beside a CPU of virtual time; `follows` is never set. */
void hal_cpu_follow(struct hal_cpu *hal, unsigned linux_priority)
{
	(void)hal;
	(void)linux_priority;
}

/* target_ns: the end of the idle time. A hybrid CPU sleeps until gravity before it. */
static void count_spun(struct sim_cpu *cpu, uint64_t since_ns, uint64_t target_ns)
{
	uint64_t begin_ns = since_ns;

	if (sim_run.idle == HAL_IDLE_SLEEP ||
	    (sim_run.idle != HAL_IDLE_SPIN && target_ns == SIM_NEVER))
		return;
	if (sim_run.idle == HAL_IDLE_HYBRID && target_ns > since_ns &&
	    target_ns - since_ns > sim_run.gravity_idle_ns)
		begin_ns = target_ns - sim_run.gravity_idle_ns;
	if (cpu->entity.now_ns > begin_ns)
		cpu->spun_ns += cpu->entity.now_ns - begin_ns;
}

void hal_idle(struct hal_cpu *hal, uint64_t deadline_ns, uint32_t lead_ns)
{
	struct sim_cpu *cpu = hal->port;
	uint64_t target_ns = SIM_NEVER;
	uint64_t until_ns;
	uint64_t since_ns;

	sim_engine_point(SIM_POINT_IDLE);
	if (event_due(cpu)) {
		consume(cpu);
		return;
	}
	if (deadline_ns != HAL_NO_DEADLINE)
		target_ns = deadline_ns > lead_ns ? deadline_ns - lead_ns : 0;
	until_ns = target_ns;
	since_ns = cpu->entity.now_ns;
	/* The contract allows a return without a cause, and the nucleus must cope with it. */
	if (sim_perturb_rarely(32)) {
		uint64_t spurious_ns = sim_add_ns(since_ns, sim_perturb_latency(1000));

		until_ns = spurious_ns < until_ns ? spurious_ns : until_ns;
	}
	if (next_event(cpu) < until_ns)
		until_ns = next_event(cpu);
	sim_engine_wait(SIM_POINT_IDLE, SIM_IDLES, until_ns);
	consume(cpu);
	count_spun(cpu, since_ns, target_ns);
}

void hal_shot(struct hal_cpu *hal, uint64_t deadline_ns)
{
	struct sim_cpu *cpu = hal->port;
	uint64_t lead_ns = sim_run.gravity_preempt_ns;
	uint64_t old_ns = cpu->shot_ns;

	if (deadline_ns == HAL_NO_DEADLINE)
		cpu->shot_ns = SIM_NEVER;
	else
		cpu->shot_ns = deadline_ns > lead_ns ? deadline_ns - lead_ns : 0;
	/* The contract allows a back end to deliver a shot that was replaced. */
	if (old_ns < cpu->shot_ns && old_ns < cpu->kick_ns && sim_perturb_rarely(16))
		cpu->kick_ns = old_ns;
	sim_cpu_point(SIM_POINT_SHOT);
}

uint32_t hal_gravity_preempt_ns(struct hal_cpu *cpu)
{
	(void)cpu;
	return sim_run.gravity_preempt_ns;
}

/* An event costs as much as the scenario anticipates: a shot that is not anticipated may be that
 * late. */
uint32_t hal_event_cost_ns(const struct hal_cpu *cpu)
{
	(void)cpu;
	return sim_run.gravity_preempt_ns;
}

/* Nothing takes a CPU of virtual time away, and no sleep is longer than requested. */
void hal_waiting(struct hal_cpu *hal, struct hal_waiting *waiting)
{
	const struct sim_cpu *cpu = hal->port;

	*waiting = (struct hal_waiting){.spun_ns = cpu->spun_ns};
}

void hal_relax_processor(void)
{
	if (sim_foreign())
		hal_arch_relax();
	else
		sim_cpu_point(SIM_POINT_RELAX);
}

/* A computing flow may continue on another CPU after an event. */
void hal_compute(uint64_t duration_ns)
{
	uint64_t left_ns = duration_ns ? duration_ns : 1;

	if (sim_foreign())
		return;
	while (left_ns) {
		struct sim_entity *self = sim_engine.current;
		bool open = self->cpu && !self->cpu->hal->self.stalled;
		uint64_t since_ns = self->now_ns;
		uint64_t until_ns = sim_add_ns(since_ns, left_ns);
		uint64_t passed_ns;

		if (open && next_event(self->cpu) < until_ns)
			until_ns = next_event(self->cpu);
		sim_engine_wait(SIM_POINT_COMPUTE, open ? SIM_COMPUTES : SIM_RUNS, until_ns);
		passed_ns = self->now_ns - since_ns;
		left_ns = passed_ns < left_ns ? left_ns - passed_ns : 0;
		sim_cpu_deliver();
	}
}
