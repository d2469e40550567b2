/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A creating call of a Linux thread grows a pool that is full. The thread gets the region from the
 * back end and gives it to the CPU by a call, so that the CPU never waits for memory.
 */
#include "object/growth.h"

#include <tactus/task.h>

#include "kernel/pool.h"

struct region_call {
	struct nuc_call call;
	struct nuc_region region;
};

static int add_run(struct nuc_cpu *cpu, struct nuc_object *object, struct nuc_call *call)
{
	struct region_call *args = base_container_of(call, struct region_call, call);

	(void)object;
	return base_heap_add_region(&cpu->pool, args->region.memory, args->region.bytes);
}

/* One more region for a running CPU. 0 or -TACT_ENOMEM. Context: linux. */
static int grow(uint32_t cpu)
{
	NUC_CALL(struct region_call, args, add_run, NUC_TYPE_CPU, nuc_handle_of_cpu(cpu),
		 NUC_CALL_TASKS);
	int error = nuc_pool_region(cpu, &args.region);

	/* If the CPU does not take the region, nuc_pools_drop() gives it back. */
	return error ? error : nuc_call(&args.call);
}

int nuc_call_create(struct nuc_call *call)
{
	uint32_t handle = call->handle;
	int result = nuc_call(call);

	/* Until a creating call succeeds, its handle is that of the CPU to which it was sent. */
	while (result == -TACT_ENOMEM && tact_mode() == TACT_MODE_NONE) {
		uint32_t cpu = nuc_handle_cpu(handle);

		if (nuc_handles_spent(&nuc_cpus[cpu].handles) || grow(cpu))
			return -TACT_ENOMEM;
		result = nuc_call(call);
	}
	return result;
}
