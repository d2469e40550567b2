/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The clocks of the program. The wall clock is the monotonic clock plus an offset, of which each
 * CPU has a copy for its timers. If Linux's clock is set, or by tact_wall_set(), the copies change
 * by message.
 */
#include <tactus/task.h>
#include <tactus/time.h>

#include "call/call.h"

static _Atomic int64_t own_offset_ns; /* between the clock of tact_wall_set() and Linux's */

struct offset_call {
	struct nuc_call call;
	int64_t offset_ns;
};

tact_time_t tact_now(void)
{
	return (tact_time_t){hal_now_ns()};
}

static int64_t offset_ns(void)
{
	return hal_wall_offset_ns() + atomic_load_explicit(&own_offset_ns, memory_order_relaxed);
}

tact_time_t tact_wall_now(void)
{
	return (tact_time_t){hal_wall_ns() +
			     (uint64_t)atomic_load_explicit(&own_offset_ns, memory_order_relaxed)};
}

static int offset_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	(void)object;
	cpu->wall_offset_ns = base_container_of(call, struct offset_call, call)->offset_ns;
	/* Timers that are due now fire with the event of this kick. */
	cpu->dirty |= NUC_DIRTY_SHOT;
	hal_kick(&cpu->hal);
	return 0;
}

static int notify_all(void)
{
	int result = nuc_cpu_count ? 0 : -TACT_EPERM;

	for (uint32_t i = 0; i < nuc_cpu_count && !result; i++) {
		NUC_CALL(struct offset_call, args, offset_run, NUC_TYPE_CPU, nuc_handle_of_cpu(i),
			 NUC_CALL_TASKS);

		args.offset_ns = offset_ns();
		result = nuc_call(&args.call);
	}
	return result;
}

int tact_wall_set(tact_time_t now)
{
	int64_t offset = (int64_t)(now.ns - hal_now_ns());

	if (!nuc_cpu_count || tact_mode() == TACT_MODE_HANDLER)
		return -TACT_EPERM;
	if (offset < 0 || now.ns > INT64_MAX)
		return -TACT_EINVAL;
	atomic_store_explicit(&own_offset_ns, offset - hal_wall_offset_ns(), memory_order_relaxed);
	return notify_all();
}

void nuc_upcall_wall_changed(void)
{
	(void)notify_all();
}

void tact_compute(uint64_t duration_ns)
{
	hal_compute(duration_ns);
}
