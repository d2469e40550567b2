/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The Linux priority of shadows: their tasks' in secondary mode. A parked one is to hear of its
 * task's signals while the task computes, as Linux would interrupt a thread that does; where that
 * is on the only CPU that the shadow has, it goes before its task.
 */
#include "thread.h"

#include "call.h"
#include "shadow.h"

static bool has_its_tasks_cpu(void)
{
	return thread_program.may_follow && !thread_program.other_cpus_differ;
}

static unsigned priority_now(struct hal_shadow *shadow)
{
	const unsigned given = atomic_load(&shadow->priority);
	const unsigned level = given & HAL_LEVEL;

	if (given & HAL_MAKES_ROOM)
		return shadow_room_priority(level);
	if (!level || level >= thread_program.shadow_priority_max || !has_its_tasks_cpu() ||
	    !atomic_load(&shadow->parked) || atomic_load(&shadow->stands_back))
		return given;
	return given + 1;
}

/* Tells Linux, unless it could not be taken back. */
static void tell(struct hal_shadow *shadow, unsigned priority)
{
	if ((priority & HAL_LEVEL) < atomic_load(&shadow->linux_level) && !thread_may_raise())
		return;
	if (!call_scheduler(shadow->tid, priority))
		atomic_store(&shadow->linux_level, priority & HAL_LEVEL);
}

/* Whoever of several is the last to tell Linux looks once more afterwards. */
void shadow_priority_apply(struct hal_shadow *shadow)
{
	unsigned priority;

	if (!thread_program.fifo)
		return;
	do {
		priority = priority_now(shadow);
		tell(shadow, priority);
	} while (priority != priority_now(shadow));
}

/* Context: the shadow, which is about to have another user. One that makes room is low. */
void shadow_priority_keep(struct hal_shadow *shadow)
{
	const unsigned given = atomic_load(&shadow->priority);

	if (thread_program.fifo && given & HAL_MAKES_ROOM)
		tell(shadow, given & HAL_LEVEL);
}

void shadow_priority_park(struct hal_shadow *shadow, bool parked)
{
	const bool made_room = atomic_load(&shadow->priority) & HAL_MAKES_ROOM;

	atomic_store(&shadow->stands_back, false);
	atomic_store(&shadow->parked, parked);
	if (made_room)
		shadow_room_end(shadow);
	if (made_room || has_its_tasks_cpu())
		shadow_priority_apply(shadow);
}

static bool task_may_compute(const struct hal_shadow *shadow, const struct thread_port *ports)
{
	const unsigned level = atomic_load(&shadow->priority) & HAL_LEVEL;

	for (unsigned i = 0; i < thread_program.cpu_count; i++) {
		const struct thread_port *port = &ports[i];

		if (atomic_load(&port->state) == THREAD_RUNNING &&
		    atomic_load(&port->followed) >= level)
			return true;
	}
	return false;
}

void shadow_priority_stand_back(struct hal_shadow *shadow)
{
	/* They are there while it tells: hal_stop() waits for that before it frees them. */
	const struct thread_port *ports = __atomic_load_n(&thread_program.ports, __ATOMIC_SEQ_CST);

	if (!has_its_tasks_cpu() || !ports || task_may_compute(shadow, ports))
		return;
	atomic_store(&shadow->stands_back, true);
	shadow_priority_apply(shadow);
	/* Who is lowered begins before its equals. Source: Linux kernel/sched/syscalls.c. */
	(void)call3(SYS_sched_yield, 0, 0, 0);
}

void shadow_priority_round(void)
{
	if (!has_its_tasks_cpu())
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!atomic_load(&shadow->stands_back) || !shadow_keeper_begins())
			continue;
		if (atomic_exchange(&shadow->stands_back, false))
			shadow_priority_apply(shadow);
		shadow_keeper_ends();
	}
}

void hal_shadow_set_priority(struct hal_shadow *shadow, unsigned priority)
{
	unsigned flags = priority & ~HAL_LEVEL;
	unsigned level = priority & HAL_LEVEL;

	if (level > thread_program.shadow_priority_max)
		level = thread_program.shadow_priority_max;
	atomic_store(&shadow->priority, level | flags);
	shadow_priority_apply(shadow);
}

void hal_shadow_run(struct hal_shadow *shadow, struct hal_context *context, unsigned priority)
{
	atomic_store(&shadow->parked, false);
	hal_shadow_set_priority(shadow, priority);
	shadow_parked_run(shadow, context);
}
