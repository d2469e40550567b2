/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks of µITRON 4.0. */
#include "uitron4.h"

static ER create(ID id, const T_CTSK *packet)
{
	struct itron_task_how how;
	ER result;

	if (itron_bad(packet))
		return E_PAR;
	if (packet->tskatr & ~(TA_ASM | TA_ACT | TA_RSTR))
		return E_RSATR;
	if (itron_bad((const void *)(uintptr_t)packet->task) || packet->itskpri < TMIN_TPRI ||
	    packet->itskpri > TMAX_TPRI || packet->stksz > INT32_MAX)
		return E_PAR;
	how = (struct itron_task_how){packet->tskatr, packet->exinf, packet->task, packet->itskpri,
				      (INT)packet->stksz};
	result = itron_task_create(id, &how);
	if (result > 0 && packet->tskatr & TA_ACT)
		(void)act_tsk(result);
	return result;
}

ER cre_tsk(ID tskid, const T_CTSK *pk_ctsk)
{
	return tskid <= 0 ? E_ID : uitron4_ok(create(tskid, pk_ctsk));
}

ER_ID acre_tsk(const T_CTSK *pk_ctsk)
{
	return create(0, pk_ctsk);
}

ER act_tsk(ID tskid)
{
	struct itron_object *task;
	struct itron_key key;
	ER code = itron_find_task(tskid, &task);

	if (code)
		return code;
	key = itron_lock();
	if (atomic_load(&task->task.active)) {
		if (atomic_load(&task->task.activations) < TMAX_ACTCNT)
			atomic_fetch_add(&task->task.activations, 1);
		else
			code = E_QOVR;
	} else {
		code = E_OBJ;
	}
	itron_unlock(key);
	return code == E_OBJ ? itron_task_activate(task, task->exinf) : code;
}

ER iact_tsk(ID tskid)
{
	return act_tsk(tskid);
}

ER_UINT can_act(ID tskid)
{
	struct itron_object *task;
	ER code = itron_find_task(tskid, &task);

	return code ? code : (ER_UINT)atomic_exchange(&task->task.activations, 0);
}

ER sta_tsk(ID tskid, VP_INT stacd)
{
	struct itron_object *task;
	ER code = itron_find(ITRON_TASK, tskid, &task);

	return code ? code : itron_task_activate(task, stacd);
}

ER get_pri(ID tskid, PRI *p_tskpri)
{
	struct itron_object *task;
	uint32_t present;
	ER code;

	if (itron_bad(p_tskpri))
		return E_PAR;
	code = itron_find_task(tskid, &task);
	if (code)
		return code;
	if (!atomic_load(&task->task.active))
		return E_OBJ;
	code = itron_result(tact_task_get_priority(itron_task(task), NULL, &present));
	if (!code)
		*p_tskpri = itron_priority(present);
	return code;
}

ER ref_tsk(ID tskid, T_RTSK *pk_rtsk)
{
	struct itron_task_state state;
	struct itron_object *task;
	ER code = itron_task_inquire(pk_rtsk, tskid, &task, &state);

	if (code)
		return code;
	*pk_rtsk = (T_RTSK){
		.tskstat = state.state,
		.tskpri = state.priority,
		.tskbpri = state.base,
		.tskwait = state.wait,
		.wobjid = state.object,
		.lefttmo = state.left,
		.actcnt = atomic_load(&task->task.activations),
		.wupcnt = state.wakeups,
		.suscnt = state.suspensions,
	};
	return E_OK;
}

ER ref_tst(ID tskid, T_RTST *pk_rtst)
{
	T_RTSK whole;
	ER code = itron_bad(pk_rtst) ? E_PAR : ref_tsk(tskid, &whole);

	if (code)
		return code;
	pk_rtst->tskstat = whole.tskstat;
	pk_rtst->tskwait = whole.tskwait;
	return E_OK;
}

ER iwup_tsk(ID tskid)
{
	return wup_tsk(tskid);
}

ER_UINT can_wup(ID tskid)
{
	struct itron_object *task;
	ER code = itron_find_task(tskid, &task);

	if (code)
		return code;
	return atomic_load(&task->task.active) ? itron_task_cancel_wakeups(task) : E_OBJ;
}

ER irel_wai(ID tskid)
{
	return rel_wai(tskid);
}

ER dly_tsk(RELTIM dlytim)
{
	return itron_delay(dlytim);
}
