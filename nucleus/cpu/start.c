/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Start of the nucleus (stop.c ends it): memory and status segment first, then the CPUs of the back
 * end. If a step fails, all steps before it are undone in reverse.
 */
#include <tactus/start.h>

#include "base/string.h"
#include "call/cast.h"
#include "cpu/config.h"
#include "cpu/segment.h"
#include "cpu/stop.h"
#include "cpu/watchdog.h"
#include "ipc/word.h"
#include "kernel/handle_table.h"
#include "kernel/pool.h"
#include "object/registry.h"
#include "task/dispatch.h"
#include "task/deleters.h"
#include "task/end_hook.h"
#include "task/fault.h"
#include "task/fault_report.h"
#include "task/server.h"

static char program[TACT_STATUS_NAME];

const char *tact_program(void)
{
	return nuc_started && hal_linux_caller_ok() ? program : "";
}

uint32_t tact_cpus(void)
{
	/* The child of a fork has the memory of its parent, but none of its CPUs. */
	if (!hal_linux_caller_ok())
		return 0;
	return atomic_load_explicit(&nuc_open, memory_order_acquire);
}

/* For a value of 0 nuc_upcall_start() takes that of the back end, when the CPU is known. */
static void gravity_init(struct nuc_cpu *cpu, const struct tact_gravity *gravity)
{
	cpu->gravity_ns[NUC_CONTEXT_HANDLER] = gravity->handler_ns;
	cpu->gravity_ns[NUC_CONTEXT_LIGHT] = gravity->light_ns;
	cpu->gravity_ns[NUC_CONTEXT_TASK] = gravity->task_ns;
	cpu->expiry.skipped_ns = HAL_NO_DEADLINE;
}

static int cpu_init(struct nuc_cpu *cpu, uint32_t index, const struct tact_config *config)
{
	int error;

	base_fill(cpu, 0, sizeof(*cpu));
	cpu->hal.index = index;
	base_list_init(&cpu->slots);
	base_list_init(&cpu->tasks);
	base_list_init(&cpu->free_tasks);
	base_list_init(&cpu->server.work_due);
	base_tree_init(&cpu->batches.by_urgency);
	base_tree_init(&cpu->batches.by_round);
	base_list_init(&cpu->endings);
	nuc_end_hooks_init(index);
	nuc_deleters_init(cpu);
	gravity_init(cpu, &config->gravity);
	cpu->wall_offset_ns = hal_wall_offset_ns();
	error = nuc_pool_init(cpu, config->pool_bytes);
	if (!error)
		error = nuc_handle_table_init(cpu, &cpu->object);
	if (!error)
		error = nuc_cast_init_cpu(cpu);
	if (!error && index == 0)
		error = nuc_registry_init(cpu);
	nuc_words_init_cpu(cpu);
	if (!error)
		nuc_sched_init(cpu);
	return error;
}

static void hal_config_fill(struct hal_config *hal, const struct tact_config *config)
{
	base_fill(hal, 0, sizeof(*hal));
	hal->program = config->name;
	hal->options = config->options;
	hal->cpu_count = config->cpus;
	hal->linux_cpus = config->linux_cpu;
	hal->priority = config->priority;
	hal->idle = (enum hal_idle)config->idle;
	hal->share = config->share != 0;
	hal->require = config->require != 0;
	hal->gravity_idle_ns =
		config->gravity.idle_ns ? config->gravity.idle_ns : HAL_GRAVITY_UNSET;
	hal->gravity_preempt_ns =
		config->gravity.preempt_ns ? config->gravity.preempt_ns : HAL_GRAVITY_UNSET;
}

_Static_assert((int)TACT_IDLE_HYBRID == HAL_IDLE_HYBRID && (int)TACT_IDLE_SLEEP == HAL_IDLE_SLEEP &&
		       (int)TACT_IDLE_SPIN == HAL_IDLE_SPIN,
	       "the public names are the contract's");

static int prepare(const struct tact_config *config)
{
	for (uint32_t i = 0; i < config->cpus; i++) {
		int error = cpu_init(&nuc_cpus[i], i, config);

		if (error) {
			nuc_pools_drop(i + 1);
			return error;
		}
	}
	return 0;
}

static void event_cost_init(uint32_t cpus)
{
	nuc_event_ns = 0;
	for (uint32_t i = 0; i < cpus; i++)
		if (hal_event_cost_ns(&nuc_cpus[i].hal) > nuc_event_ns)
			nuc_event_ns = hal_event_cost_ns(&nuc_cpus[i].hal);
}

static int start(const struct tact_config *config, char *reason)
{
	struct hal_cpu *cpus[HAL_MAX_CPUS];
	struct hal_config hal;
	int error = prepare(config);

	if (error) {
		base_print(reason, TACT_REASON_BYTES,
			   "no memory for the pools: lower pool_bytes or raise the limits (ulimit "
			   "-l)");
		return error;
	}
	error = nuc_segment_map(config);
	if (error) {
		base_print(reason, TACT_REASON_BYTES, "no memory for the status segment");
		goto drop_pools;
	}
	hal_config_fill(&hal, config);
	for (uint32_t i = 0; i < config->cpus; i++)
		cpus[i] = &nuc_cpus[i].hal;
	nuc_fault_stops_program = config->fault == TACT_FAULT_STOP_PROGRAM;
	nuc_fault_to_program = config->program_faults;
	nuc_watchdog_init(config);
	(void)base_copy_text(program, sizeof(program), config->name);
	/* Before the CPUs run: they look at each other. */
	nuc_cpu_count = config->cpus;
	error = hal_start(&hal, cpus, reason);
	if (error)
		goto forget_cpus;
	event_cost_init(config->cpus);
	nuc_segment_publish();
	/* Release: Linux threads that call from here on see the CPUs initialised. */
	atomic_store_explicit(&nuc_open, config->cpus, memory_order_release);
	atomic_store_explicit(&nuc_making, true, memory_order_release);
	error = nuc_servers_start();
	if (!error) {
		nuc_started = true;
		return 0;
	}
	atomic_store_explicit(&nuc_making, false, memory_order_seq_cst);
	atomic_store_explicit(&nuc_open, 0, memory_order_seq_cst);
	nuc_cpus_stop(nuc_cpu_count);
	base_print(reason, TACT_REASON_BYTES, "no memory for the handler servers");
forget_cpus:
	nuc_cpu_count = 0;
drop_pools:
	nuc_segment_unmap();
	nuc_pools_drop(config->cpus);
	return error;
}

_Static_assert(TACT_CPU_MAX == HAL_MAX_CPUS, "a back end has as many CPUs");
_Static_assert(TACT_REASON_BYTES == HAL_REASON_BYTES, "a back end fills the program's reason");

int tact_start(const struct tact_config *config, char reason[TACT_REASON_BYTES])
{
	struct tact_config wanted;
	char unwanted[TACT_REASON_BYTES];
	int error;

	if (!reason)
		reason = unwanted;
	reason[0] = '\0';
	if (!hal_linux_caller_ok()) {
		base_print(reason, TACT_REASON_BYTES,
			   "this process cannot start: after a fork() of a "
			   "started program, exec in the child, or fork before the start");
		return -TACT_EPERM;
	}
	if (atomic_exchange_explicit(&nuc_changing, true, memory_order_acquire)) {
		base_print(reason, TACT_REASON_BYTES, "another thread is starting or stopping it");
		return -TACT_EBUSY;
	}
	if (nuc_started) {
		base_print(reason, TACT_REASON_BYTES, "already started");
		error = -TACT_EBUSY;
	} else {
		error = nuc_config_resolve(config, &wanted, reason);
		if (!error)
			error = start(&wanted, reason);
	}
	atomic_store_explicit(&nuc_changing, false, memory_order_release);
	return error;
}
