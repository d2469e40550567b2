/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of µITRON 3.02. */
#include "itron/core.h"

#define TASK_ATTRIBUTES 0xff01u /* TA_HLNG, TA_COP0 … TA_COP7 */

void itron_task_ends(struct itron_object *self)
{
	(void)self;
}

void itron_task_ended(struct itron_object *task)
{
	(void)task;
}

void itron_task_keep_more(struct itron_object *next, const struct itron_object *task)
{
	(void)next;
	(void)task;
}

ER itron_priority_allowed(const struct itron_object *task, PRI priority)
{
	(void)task;
	(void)priority;
	return E_OK;
}

bool itron_task_in_routine(const struct itron_object *self)
{
	(void)self;
	return false;
}

static ER check(const T_CTSK *packet)
{
	if (itron_bad(packet))
		return E_PAR;
	if (packet->tskatr & ~TASK_ATTRIBUTES)
		return E_RSATR;
	return packet->itskpri < TMIN_TPRI || packet->itskpri > TMAX_TPRI || packet->stksz < 0
		       ? E_PAR
		       : E_OK;
}

static struct itron_task_how how_of(const T_CTSK *packet)
{
	return (struct itron_task_how){packet->tskatr, (intptr_t)packet->exinf, packet->task,
				       packet->itskpri, packet->stksz};
}

ER cre_tsk(ID tskid, T_CTSK *pk_ctsk)
{
	struct itron_task_how how;
	ER code = check(pk_ctsk);

	if (!code && itron_bad((const void *)(uintptr_t)pk_ctsk->task))
		code = E_PAR;
	if (!code && tskid <= 0)
		code = E_ID;
	if (code)
		return code;
	how = how_of(pk_ctsk);
	code = itron_task_create(tskid, &how);
	return code > 0 ? E_OK : code;
}

ER shd_tsk(ID tskid, T_CTSK *pk_ctsk)
{
	struct itron_task_how how;
	ER code = check(pk_ctsk);

	if (!code && tskid <= 0)
		code = E_ID;
	if (code)
		return code;
	how = how_of(pk_ctsk);
	return itron_task_shadow(tskid, &how);
}

ER sta_tsk(ID tskid, INT stacd)
{
	struct itron_object *task;
	ER code = itron_find(ITRON_TASK, tskid, &task);

	return code ? code : itron_task_activate(task, stacd);
}

ER can_wup(INT *p_wupcnt, ID tskid)
{
	struct itron_object *task;
	ER code;

	if (itron_bad(p_wupcnt))
		return E_PAR;
	code = itron_find_task(tskid, &task);
	if (code)
		return code;
	if (!atomic_load(&task->task.active))
		return E_OBJ;
	*p_wupcnt = itron_task_cancel_wakeups(task);
	return E_OK;
}

ER ref_tsk(T_RTSK *pk_rtsk, ID tskid)
{
	struct itron_task_state state;
	struct itron_object *task;
	ER code = itron_task_inquire(pk_rtsk, tskid, &task, &state);

	if (code)
		return code;
	*pk_rtsk = (T_RTSK){
		.exinf = (VP)task->exinf,
		.tskpri = state.priority,
		.tskstat = state.state,
		.tskwait = state.wait,
		.wid = state.object,
		.wupcnt = (INT)state.wakeups,
		.suscnt = (INT)state.suspensions,
		.tskatr = task->attributes,
		.task = task->task.entry,
		.itskpri = task->task.initial,
		.stksz = task->task.stack_bytes,
	};
	return E_OK;
}
