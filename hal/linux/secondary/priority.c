/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The Linux priority of shadows: that of their tasks in secondary mode. A parked shadow must be
 * told of its task's signals while the task computes, because Linux would interrupt a computing
 * thread, too. If the task computes on the only CPU that the shadow has, the shadow is above its
 * task.
 */
#include "secondary/priority.h"

#include "back_end.h"
#include "call.h"
#include "program.h"
#include "rights.h"
#include "shadow/lock.h"
#include "shadow/record.h"

static bool has_its_tasks_cpu(void)
{
	return linux_program.may_follow && !linux_program.other_cpus_differ;
}

static _Atomic unsigned kept_level;

/* Demoted shadows above kept_level take turns on the CPUs that are left, because Linux would have a
 * CPU for them. The other ones run below them, in the order of their priorities. */
static unsigned demoted(unsigned level)
{
	const unsigned kept = atomic_load_explicit(&kept_level, memory_order_relaxed);
	unsigned rank = 1;

	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		const unsigned other = atomic_load(&shadow->priority.given);

		if (other & HAL_DEMOTED && (other & HAL_LEVEL) < level &&
		    (other & HAL_LEVEL) <= kept)
			rank++;
	}
	return (rank < level ? rank : level) | HAL_IN_TURNS;
}

void shadow_priority_restore(struct hal_shadow *shadow)
{
	atomic_fetch_and(&shadow->priority.given, ~HAL_DEMOTED);
}

void shadow_priority_keep_up_to(unsigned level)
{
	atomic_store_explicit(&kept_level, level, memory_order_relaxed);
}

static unsigned priority_now(struct hal_shadow *shadow)
{
	const unsigned given = atomic_load(&shadow->priority.given);
	const unsigned level = given & HAL_LEVEL;

	if (given & HAL_DEMOTED)
		return demoted(level);
	if (!level || level >= linux_program.shadow_priority_max || !has_its_tasks_cpu() ||
	    !atomic_load(&shadow->parked) || atomic_load(&shadow->priority.stands_back))
		return given;
	return given + 1;
}

/* Tell Linux, unless the priority could not be raised again later. */
static void tell(struct hal_shadow *shadow, unsigned priority)
{
	if ((priority & HAL_LEVEL) < atomic_load(&shadow->priority.linux_level) &&
	    !linux_may_raise())
		return;
	if (!call_scheduler(shadow->tid, priority))
		atomic_store(&shadow->priority.linux_level, priority & HAL_LEVEL);
}

/* Several threads may tell Linux at once. The last one checks once more afterwards. */
void shadow_priority_apply(struct hal_shadow *shadow)
{
	unsigned priority;

	if (!linux_program.fifo)
		return;
	do {
		priority = priority_now(shadow);
		tell(shadow, priority);
	} while (priority != priority_now(shadow));
}

/* Context: the shadow, which is about to get another user. A demoted shadow has a low Linux
 * priority: raise it while it is allowed. */
void shadow_priority_keep(struct hal_shadow *shadow)
{
	const unsigned given = atomic_load(&shadow->priority.given);

	if (linux_program.fifo && given & HAL_DEMOTED)
		tell(shadow, given & HAL_LEVEL);
}

void shadow_priority_park(struct hal_shadow *shadow, bool parked)
{
	const bool was_demoted = atomic_load(&shadow->priority.given) & HAL_DEMOTED;

	atomic_store(&shadow->priority.stands_back, false);
	atomic_store(&shadow->parked, parked);
	if (was_demoted)
		shadow_priority_restore(shadow);
	if (was_demoted || has_its_tasks_cpu())
		shadow_priority_apply(shadow);
}

void shadow_priority_stand_back(struct hal_shadow *shadow)
{
	if (!has_its_tasks_cpu() ||
	    backend_may_compute(atomic_load(&shadow->priority.given) & HAL_LEVEL))
		return;
	atomic_store(&shadow->priority.stands_back, true);
	shadow_priority_apply(shadow);
	/* A lowered thread goes before its equals, so yield to them. Source: Linux
	 * kernel/sched/syscalls.c. */
	(void)call3(SYS_sched_yield, 0, 0, 0);
}

void shadow_priority_round(void)
{
	if (!has_its_tasks_cpu())
		return;
	for (struct hal_shadow *shadow = shadow_first_known(); shadow; shadow = shadow->known) {
		if (!atomic_load(&shadow->priority.stands_back) || !shadow_lock_try())
			continue;
		if (atomic_exchange(&shadow->priority.stands_back, false))
			shadow_priority_apply(shadow);
		shadow_lock_release();
	}
}

void hal_shadow_set_priority(struct hal_shadow *shadow, unsigned priority)
{
	unsigned flags = priority & ~HAL_LEVEL;
	unsigned level = priority & HAL_LEVEL;

	if (level > linux_program.shadow_priority_max)
		level = linux_program.shadow_priority_max;
	atomic_store(&shadow->priority.given, level | flags);
	shadow_priority_apply(shadow);
}
