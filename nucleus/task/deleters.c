/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Callers that wait for the ends of tasks: see deleters.h. */
#include "task/deleters.h"

#include "call/wait.h"

/* Of one CPU. */
struct deleters {
	_Alignas(64) struct nuc_waitq calls;
	uint64_t told; /* how often tasks have ended that callers waited for */
};

static struct deleters all_deleters[HAL_MAX_CPUS];

static struct deleters *deleters_of(const struct nuc_cpu *cpu)
{
	return &all_deleters[cpu->hal.index];
}

void nuc_deleters_init(struct nuc_cpu *cpu)
{
	nuc_waitq_init(&deleters_of(cpu)->calls, &cpu->object, TACT_FIFO);
	deleters_of(cpu)->told = 0;
}

int nuc_deleters_wait(struct nuc_cpu *cpu, struct nuc_call *call, struct nuc_task *task)
{
	task->awaited = 1;
	return nuc_wait(cpu, call, &deleters_of(cpu)->calls);
}

void nuc_deleters_tell(struct nuc_cpu *cpu, const struct nuc_task *task)
{
	struct deleters *deleters = deleters_of(cpu);
	struct nuc_over over;

	nuc_over_init(&over, deleters->told++);
	base_list_for_each_safe(link, &deleters->calls.calls) {
		struct nuc_call *call = base_container_of(link, struct nuc_call, link);

		if (call->handle == task->object.handle)
			nuc_wait_over(call, &over);
	}
	nuc_wake_over(cpu, &deleters->calls, &over, 0);
}

void nuc_deleters_end(struct nuc_cpu *cpu)
{
	(void)nuc_wake_all(cpu, &deleters_of(cpu)->calls, 0);
}
