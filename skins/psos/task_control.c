/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Control of tasks: suspension, priorities, names, notepads. */
#include "psos_task.h"

#include <tactus/suspension.h>

#include "psos_errors.h"

/* A task that suspends itself stays suspended until t_resume(), also after a signal of Linux. */
static int suspend_self(tact_task_t self)
{
	int result;

	do
		result = tact_task_suspend_once(self);
	while (result == -TACT_EINTR);
	return result;
}

unsigned long t_suspend(unsigned long tid)
{
	const struct runtime_record *record = psos_task_find(tid);
	int result;

	if (!record)
		return psos_id_error(tid);
	result = psos_task(record).id == tact_task_self().id && !runtime_in_handler()
			 ? suspend_self(psos_task(record))
			 : tact_task_suspend_once(psos_task(record));
	return result == 1 ? ERR_SUSP : psos_result(psos_task_errors, result);
}

unsigned long t_resume(unsigned long tid)
{
	const struct runtime_record *record = psos_task_find(tid);
	unsigned long code;
	int result;

	if (!record)
		return psos_id_error(tid);
	result = tact_task_resume_all(psos_task(record));
	code = result ? psos_result(psos_task_errors, result) : ERR_NOTSUSP;
	runtime_let_makers_go_first();
	return code;
}

unsigned long t_setpri(unsigned long tid, unsigned long newprio, unsigned long *oldprio)
{
	const struct runtime_record *record = psos_task_find(tid);
	uint32_t old = 0;
	int error;

	if (runtime_in_handler())
		return ERR_SSFN;
	if (!record)
		return psos_id_error(tid);
	if (newprio > 255)
		return ERR_SETPRI;
	error = newprio ? tact_task_set_priority(psos_task(record), (uint32_t)newprio, 0, &old)
			: tact_task_get_priority(psos_task(record), &old, NULL);
	if (!error)
		psos_give(oldprio, old);
	return psos_result(psos_task_errors, error);
}

unsigned long t_ident(const char *name, unsigned long node, unsigned long *tid)
{
	const struct runtime_record *self = psos_task_current();

	if (node || (name && *name))
		return psos_ident(PSOS_TASK, name, node, tid);
	if (!self)
		return ERR_OBJNF;
	psos_give(tid, runtime_id(self));
	return 0;
}

unsigned long t_getreg(unsigned long tid, unsigned long regnum, unsigned long *reg_value)
{
	struct runtime_record *record = psos_task_find(tid);

	if (!record)
		return psos_id_error(tid);
	if (regnum >= PSOS_NOTEPAD)
		return ERR_REGNUM;
	psos_give(reg_value, atomic_load_explicit(&psos_task_of(record)->notepad[regnum],
						  memory_order_relaxed));
	return 0;
}

unsigned long t_setreg(unsigned long tid, unsigned long regnum, unsigned long reg_value)
{
	struct runtime_record *record = psos_task_find(tid);

	if (!record)
		return psos_id_error(tid);
	if (regnum >= PSOS_NOTEPAD)
		return ERR_REGNUM;
	atomic_store_explicit(&psos_task_of(record)->notepad[regnum], reg_value,
			      memory_order_relaxed);
	return 0;
}
