/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Start and stop of a simulation, and the settings between runs. A stopped simulation can be
 * started again. */
#include <stdio.h>
#include <stdlib.h>

#include "abi/status.h"
#include "base/error.h"
#include "devices.h"
#include "engine.h"
#include "fault.h"
#include "options.h"
#include "perturb.h"
#include "shadow.h"
#include "stack.h"
#include "state.h"
#include "trace.h"

#define CPU_STACK_BYTES     262144u
#define WATCHER_STACK_BYTES 131072u
#define WATCH_PERIOD_NS     100000000ull
#define COST_MAX_NS         1000000000ull
/* Step of hal_stop()'s wait for CPUs that are about to idle, in virtual time. */
#define STOP_STEP_NS 1000ull
#define STOP_STEPS   1000000u

const uint32_t hal_status_back_end = TACT_STATUS_CORE_SIM;

static struct sim_options preset;
static bool preset_made;
static struct sim_entity watcher;

static struct sim_options *presets(void)
{
	if (!preset_made)
		sim_options_default(&preset);
	preset_made = true;
	return &preset;
}

void hal_sim_set_seed(uint64_t seed)
{
	presets()->seeded = true;
	presets()->seed = seed;
}

int hal_sim_set_costs(const struct hal_sim_costs *costs)
{
	if (!costs->point_ns || !costs->linux_call_ns || costs->point_ns > COST_MAX_NS ||
	    costs->kick_ns > COST_MAX_NS || costs->linux_call_ns > COST_MAX_NS ||
	    costs->linux_wake_ns > COST_MAX_NS || costs->dispatch_ns > COST_MAX_NS)
		return -TACT_EINVAL;
	presets()->costs = *costs;
	return 0;
}

void hal_sim_get_costs(struct hal_sim_costs *costs)
{
	*costs = sim_engine.started ? sim_run.options.costs : presets()->costs;
}

void hal_sim_get_statistics(struct hal_sim_statistics *statistics)
{
	*statistics = (struct hal_sim_statistics){
		.points = sim_engine.heartbeat,
		.hand_overs = sim_engine.hand_overs,
		.events = sim_engine.points[SIM_POINT_EVENT],
	};
}

static void cpu_main(void *arg)
{
	struct sim_cpu *cpu = arg;

	nuc_upcall_start(cpu->hal);
}

static void watcher_main(void *arg)
{
	(void)arg;
	for (;;) {
		sim_engine_wait(SIM_POINT_WATCH, SIM_RUNS,
				sim_add_ns(sim_engine.now_ns, WATCH_PERIOD_NS));
		nuc_upcall_watch();
	}
}

static int check(const struct hal_config *config, char reason[HAL_REASON_BYTES])
{
	if (sim_foreign() && sim_engine.started) {
		snprintf(reason, 256,
			 "a simulation runs on another host thread; stop it there first");
		return -TACT_EBUSY;
	}
	if (sim_engine.started) {
		snprintf(reason, 256, "a simulation runs already; call hal_stop() first");
		return -TACT_EBUSY;
	}
	if (config->cpu_count < 1 || config->cpu_count > HAL_MAX_CPUS) {
		snprintf(reason, 256, "%u real-time CPUs: the simulation has 1 to %u",
			 config->cpu_count, HAL_MAX_CPUS);
		return -TACT_EINVAL;
	}
	if ((unsigned)config->idle > HAL_IDLE_SPIN) {
		snprintf(reason, 256, "idle policy %u: give hybrid, sleep or spin",
			 (unsigned)config->idle);
		return -TACT_EINVAL;
	}
	for (unsigned i = 0; config->linux_cpus && i < config->cpu_count; i++) {
		if (config->linux_cpus[i] == HAL_ANY_CPU || config->linux_cpus[i] < HAL_MAX_CPUS)
			continue;
		snprintf(reason, 256, "CPU %u does not exist; the simulated machine has 0 to %u",
			 config->linux_cpus[i], HAL_MAX_CPUS - 1);
		return -TACT_ENXIO;
	}
	return 0;
}

static uint32_t gravity(uint32_t configured_ns)
{
	/* Delivery in virtual time has no delay that must be anticipated. */
	return configured_ns == HAL_GRAVITY_UNSET ? 0 : configured_ns;
}

static void init_cpu(struct sim_cpu *cpu, struct hal_cpu *hal, unsigned index)
{
	*cpu = (struct sim_cpu){.hal = hal, .shot_ns = SIM_NEVER, .kick_ns = SIM_NEVER};
	cpu->entity.cpu = cpu;
	hal->self = (struct hal_self){.self = &hal->self, .stalled = 1, .kind = HAL_SELF_CPU};
	hal->index = index;
	hal->linux_cpu = index;
	hal->port = cpu;
}

static void remove_entities(void)
{
	sim_shadow_remove_all();
	base_list_for_each_safe(node, &sim_engine.entities) {
		struct sim_entity *entity = base_container_of(node, struct sim_entity, all);

		if (entity != &sim_engine.main)
			sim_entity_remove(entity);
	}
	/* Entities that have ended are in no list, but still have their stacks. */
	for (unsigned i = 0; i < sim_run.cpu_count; i++) {
		if (sim_run.cpus[i].entity.stack.base)
			sim_entity_remove(&sim_run.cpus[i].entity);
	}
	sim_run.cpu_count = 0;
}

int hal_start(const struct hal_config *config, struct hal_cpu *const cpus[],
	      char reason[HAL_REASON_BYTES])
{
	struct sim_options options = *presets();
	int status;

	reason[0] = '\0';
	status = check(config, reason);
	if (!status)
		status = sim_options_parse(&options, config->options, "options", reason);
	if (!status)
		status = sim_options_parse(&options, getenv("TACTUS_SIM"), "TACTUS_SIM", reason);
	if (!status)
		status = sim_trace_start(options.trace, reason);
	if (status)
		return status;

	sim_state_reset();
	sim_run.options = options;
	sim_run.idle = config->idle;
	sim_run.gravity_idle_ns = gravity(config->gravity_idle_ns);
	sim_run.gravity_preempt_ns = gravity(config->gravity_preempt_ns);
	sim_run.wall_offset_ns = SIM_WALL_OFFSET_NS;
	sim_run.cpu_count = 0;
	sim_engine.limit_ns = options.limit_ns;
	sim_perturb_start(options.seeded, options.seed);
	status = sim_fault_start(options.watchdog_s);
	if (status)
		goto undo_fault;
	for (unsigned i = 0; i < config->cpu_count; i++) {
		struct sim_cpu *cpu = &sim_run.cpus[i];
		char name[SIM_NAME_BYTES];

		init_cpu(cpu, cpus[i], i);
		snprintf(name, sizeof(name), "cpu%u", i);
		status = sim_entity_start(&cpu->entity, SIM_CPU, i, name, CPU_STACK_BYTES, cpu_main,
					  cpu);
		if (status)
			goto undo_entities;
		sim_run.cpu_count++;
	}
	watcher = (struct sim_entity){0};
	status = sim_entity_start(&watcher, SIM_WATCHER, SIM_ID_WATCHER, "watcher",
				  WATCHER_STACK_BYTES, watcher_main, NULL);
	if (status)
		goto undo_entities;
	sim_engine.started = true;
	sim_engine_point(SIM_POINT_START);
	return 0;

undo_entities:
	remove_entities();
	sim_stack_release_pool();
undo_fault:
	sim_fault_stop();
	sim_trace_stop();
	snprintf(reason, 256,
		 "no memory for the simulation of %u CPUs, or no signal left for its watchdog (see "
		 "ulimit -i, or set the option watchdog=0)",
		 config->cpu_count);
	return status;
}

static bool quiet(void)
{
	for (unsigned i = 0; i < sim_run.cpu_count; i++) {
		enum sim_wait wait = sim_run.cpus[i].entity.wait;

		if (wait != SIM_IDLES && wait != SIM_ENDED)
			return false;
	}
	return true;
}

/* The events up to the exit must be the same in each run, so nothing may run beside the exit. */
bool hal_exit(void)
{
	return false;
}

void hal_stop(void)
{
	/* If a task calls exit(), the exit frees everything. */
	if (sim_foreign() || !sim_engine.started || sim_engine.current != &sim_engine.main)
		return;
	for (unsigned i = 0; i < STOP_STEPS && !quiet(); i++)
		sim_engine_wait(SIM_POINT_END, SIM_RUNS, sim_engine.now_ns + STOP_STEP_NS);
	sim_engine.started = false;
	hal_devices_drop();
	remove_entities();
	sim_fault_stop();
	sim_trace_stop();
	sim_stack_release_pool();
}
