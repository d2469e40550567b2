/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The mode of a task: preemption, time slices, asynchronous signals, interrupts. */
#include "psos_task.h"

#include <tactus/handler_lock.h>
#include <tactus/routine.h>

struct tact_sched_param psos_mode_class(unsigned long mode)
{
	const unsigned long slice = psos_configured()->kc_ticks2slice;

	if (!(mode & T_TSLICE))
		return (struct tact_sched_param){.sched_class = TACT_SCHED_FIFO};
	return (struct tact_sched_param){.sched_class = TACT_SCHED_RR,
					 .quantum_ns = runtime_ticks_ns(&psos_ticks, slice)};
}

/* Is the attribute only in the first mode? */
static bool only_in(unsigned long first, unsigned long second, unsigned long attribute)
{
	return first & attribute && !(second & attribute);
}

/* What keeps others away is switched on before anything is let in. */
static void keep_away(unsigned long from, unsigned long to)
{
	if (only_in(to, from, PSOS_MODE_LEVEL))
		(void)tact_task_lock_handlers();
	if (only_in(to, from, T_NOPREEMPT))
		(void)tact_task_lock_scheduler();
	if (only_in(to, from, T_NOASR))
		(void)tact_task_mask_requests(UINT64_MAX, 0, NULL);
}

static void let_in(unsigned long from, unsigned long to)
{
	if (only_in(from, to, T_NOASR))
		(void)tact_task_mask_requests(0, UINT64_MAX, NULL);
	if (only_in(from, to, T_NOPREEMPT))
		(void)tact_task_unlock_scheduler();
	if (only_in(from, to, PSOS_MODE_LEVEL))
		(void)tact_task_restore_handlers(0);
}

void psos_mode_change(struct psos_task *task, unsigned long from, unsigned long to)
{
	const struct tact_sched_param class = psos_mode_class(to);

	task->mode = to;
	keep_away(from, to);
	if ((from ^ to) & T_TSLICE)
		(void)tact_task_set_sched(TACT_SELF, &class);
	let_in(from, to);
}

unsigned long t_mode(unsigned long mask, unsigned long new_mode, unsigned long *old_mode)
{
	struct runtime_record *record = psos_task_current();
	struct psos_task *task;
	unsigned long old;

	if (!record || runtime_in_handler() || mask & ~(unsigned long)PSOS_MODES)
		return ERR_SSFN;
	task = psos_task_of(record);
	old = task->mode;
	psos_give(old_mode, old);
	psos_mode_change(task, old, (old & ~mask) | (new_mode & mask));
	return 0;
}
