/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the server of a CPU is to do next, and how urgent that makes it. */
#include "task/server_level.h"

#include "call/batch.h"
#include "call/upcall.h"
#include "task/priority.h"
#include "task/ready.h"

/* What is demanded of the server of a CPU: by the calls of batches, and by the tasks that wait for
 * locks of ended tasks. */
struct demand {
	struct nuc_owned_lock owned_lock; /* owned by the server while it is not above all tasks */
	uint32_t endings; /* highest priority demanded for locks of ended tasks; 0: there is no such
			     task */
};

static struct demand demands[HAL_MAX_CPUS];

static struct demand *demand_of(const struct nuc_cpu *cpu)
{
	return &demands[cpu->hal.index];
}

void nuc_server_for_handlers(struct nuc_cpu *cpu)
{
	(void)nuc_owned_lock_remove(&cpu->server.task->owned_locks, &demand_of(cpu)->owned_lock);
	cpu->server.task->sched_priority = NUC_LEVEL_SERVER;
	nuc_task_update_priority(cpu, cpu->server.task);
}

bool nuc_server_has_pieces(const struct nuc_cpu *cpu)
{
	return !base_tree_empty(&cpu->batches.by_urgency) || !base_list_empty(&cpu->endings);
}

bool nuc_server_batches_first(const struct nuc_cpu *cpu)
{
	return base_list_empty(&cpu->endings) || nuc_batches_level(cpu) >= demand_of(cpu)->endings;
}

/* Put the server at the level of the most urgent of these tasks, as an owner of what they wait
 * for. */
static void for_pieces(struct nuc_cpu *cpu)
{
	struct demand *demand = demand_of(cpu);
	const uint32_t priority =
		nuc_server_batches_first(cpu) ? nuc_batches_level(cpu) : demand_of(cpu)->endings;

	if (!base_list_linked(&demand->owned_lock.link))
		nuc_owned_lock_add(&cpu->server.task->owned_locks, &demand->owned_lock);
	else if (demand->owned_lock.urgency.priority == priority)
		return;
	nuc_owned_lock_demand(&cpu->server.task->owned_locks, &demand->owned_lock,
			      (struct nuc_urgency){0, priority});
	cpu->server.task->sched_priority = NUC_LEVEL_WEAK;
	nuc_task_update_priority(cpu, cpu->server.task);
}

void nuc_server_reprioritize(struct nuc_cpu *cpu)
{
	if (!cpu->server.task)
		return;
	if (base_list_empty(&cpu->endings))
		demand_of(cpu)->endings = 0;
	/* Under a handler, or if handlers are due: serve() comes to the pieces after them. */
	if (cpu->server.serving || !base_list_empty(&cpu->server.work_due))
		return;
	if (!nuc_server_has_pieces(cpu)) {
		nuc_server_for_handlers(cpu);
		return;
	}
	for_pieces(cpu);
	nuc_task_unblock(cpu, cpu->server.task, TACT_TASK_STATE_WAITING);
}

void nuc_server_demand(struct nuc_cpu *cpu, uint32_t priority)
{
	/* At level 0 the server might never run. */
	if (!priority)
		priority = 1;
	if (priority > demand_of(cpu)->endings)
		demand_of(cpu)->endings = priority;
	nuc_server_reprioritize(cpu);
}

void nuc_server_level_begin(struct nuc_cpu *cpu)
{
	base_list_init(&demand_of(cpu)->owned_lock.link);
	demand_of(cpu)->owned_lock.urgency.priority = 0;
	demand_of(cpu)->endings = 0;
}

void nuc_server_level_end(struct nuc_cpu *cpu)
{
	(void)nuc_owned_lock_remove(&cpu->server.task->owned_locks, &demand_of(cpu)->owned_lock);
}
