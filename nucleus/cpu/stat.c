/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Statistics of CPUs and the trace as programs see them. */
#include <tactus/stat.h>

#include "call/call.h"
#include "kernel/sized.h"
#include "kernel/trace.h"
#include "task/dispatch.h"

struct cpu_call {
	struct nuc_call call;
	struct tact_cpu_info *info;
	int on;
};

static int inquire_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct tact_cpu_info *info = base_container_of(call, struct cpu_call, call)->info;
	const struct tact_status_cpu *status = cpu->status;
	struct base_heap_info pool;
	struct hal_waiting waiting;
	struct hal_gravity known;

	(void)object;
	if (!info)
		return 0;
	(void)nuc_sched_charge(cpu, cpu->current);
	base_heap_info(&cpu->pool, &pool);
	info->linux_cpu = cpu->hal.linux_cpu;
	info->apart = cpu->hal.apart;
	info->tasks = (uint32_t)status->tasks;
	info->switches = status->switches;
	info->events = status->events;
	info->messages = status->messages;
	info->idle_ns = hal_ticks_to_ns(status->idle_ticks);
	hal_waiting(&cpu->hal, &waiting);
	info->spun_ns = waiting.spun_ns;
	info->gap_max_ns = waiting.gap_max_ns;
	info->wake_late_max_ns = waiting.wake_late_max_ns;
	info->faults = status->faults;
	info->page_faults = status->page_faults;
	info->watchdog_hits = status->watchdog_hits;
	info->pool_total_bytes = pool.total_bytes;
	info->pool_used_bytes = pool.used_bytes;
	info->timers = base_timerq_count(&cpu->timers[NUC_CLOCK_MONOTONIC]) +
		       base_timerq_count(&cpu->timers[NUC_CLOCK_WALL]);
	info->objects = cpu->handles.used;
	hal_gravity(&cpu->hal, &known);
	info->gravity = (struct tact_gravity){
		.handler_ns = cpu->gravity_ns[NUC_CONTEXT_HANDLER],
		.light_ns = cpu->gravity_ns[NUC_CONTEXT_LIGHT],
		.task_ns = cpu->gravity_ns[NUC_CONTEXT_TASK],
		.idle_ns = known.idle_ns,
		.preempt_ns = known.preempt_ns,
	};
	return 0;
}

static int enable_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	cpu->trace->enabled = base_container_of(call, struct cpu_call, call)->on != 0;
	return 0;
}

static int call_cpu(uint32_t cpu, struct cpu_call *args,
		    int (*run)(struct nuc_cpu *, struct nuc_object *, struct nuc_call *))
{
	if (!nuc_cpu_count)
		return -TACT_EPERM;
	if (cpu >= nuc_cpu_count)
		return -TACT_ENXIO;
	nuc_call_init(&args->call, run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu), 0, sizeof(*args));
	return nuc_call(&args->call);
}

int tact_cpu_inquire(uint32_t cpu, struct tact_cpu_info *info)
{
	struct tact_cpu_info known;
	struct cpu_call args;
	int result = nuc_sized_check(info, sizeof(*info));

	if (result)
		return result;
	args.info = info ? &known : NULL;
	result = call_cpu(cpu, &args, inquire_run);
	if (!result && info)
		nuc_sized_write(info, sizeof(*info), &known, sizeof(known));
	return result;
}

int tact_trace_enable(uint32_t cpu, int on)
{
	struct cpu_call args;

	args.on = on;
	return call_cpu(cpu, &args, enable_run);
}

int tact_trace_mark(uint32_t a, uint64_t b)
{
	struct nuc_cpu *cpu = nuc_enter();

	if (!cpu)
		return -TACT_EPERM;
	nuc_trace(cpu, TACT_TRACE_MARK, a, b);
	hal_leave();
	return 0;
}
