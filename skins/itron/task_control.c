/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Priorities, waits and suspensions of tasks. */
#include "core.h"

/* A task that is not dormant. self: is the caller allowed? */
static ER find_active(ID id, bool self, struct itron_object **task)
{
	ER code = itron_find_task(id, task);

	if (code)
		return code;
	if (!atomic_load(&(*task)->task.active) || (!self && *task == itron_self()))
		return E_OBJ;
	return E_OK;
}

ER chg_pri(ID tskid, PRI tskpri)
{
	struct itron_object *task;
	ER code;

	if (tskpri < 0 || tskpri > TMAX_TPRI)
		return E_PAR;
	code = find_active(tskid, true, &task);
	if (!code)
		code = itron_priority_allowed(task, tskpri);
	if (code)
		return code;
	if (tskpri == TPRI_INI)
		tskpri = task->task.initial;
	return itron_result(
		tact_task_set_priority(itron_task(task), itron_native_priority(tskpri), 0, NULL));
}

ER rel_wai(ID tskid)
{
	struct itron_object *task;
	ER code = find_active(tskid, false, &task);

	return code ? code : itron_result(tact_task_unblock(itron_task(task), 0));
}

ER sus_tsk(ID tskid)
{
	struct itron_object *task;
	ER code = find_active(tskid, ITRON_SUSPENDS_SELF, &task);

	if (code)
		return code;
	if (task->task.locked)
		return E_CTX;
	return itron_result(tact_task_suspend(itron_task(task)));
}

ER rsm_tsk(ID tskid)
{
	struct itron_object *task;
	ER code = find_active(tskid, false, &task);

	return code ? code : itron_result(tact_task_resume(itron_task(task)));
}

ER frsm_tsk(ID tskid)
{
	struct itron_object *task;
	ER code = find_active(tskid, false, &task);
	int undone;

	if (code)
		return code;
	undone = tact_task_resume_all(itron_task(task));
	return undone ? itron_done(undone) : E_OBJ;
}

ER tslp_tsk(TMO tmout)
{
	struct itron_object *self = itron_self();
	tact_timeout_t timeout;
	ER code = itron_wait(tmout, TTW_SLP, 0, &timeout);

	if (code)
		return code;
	if (!self || (ITRON_LOCKED_REFUSES && itron_cpu_locked()))
		return E_CTX;
	return itron_result(tact_sem_wait(self->task.wake, timeout));
}

ER slp_tsk(void)
{
	return tslp_tsk(TMO_FEVR);
}

ER wup_tsk(ID tskid)
{
	struct itron_object *task;
	ER code = find_active(tskid, ITRON_WAKES_SELF, &task);

	return code ? code : itron_result(tact_sem_post(task->task.wake));
}

int itron_task_cancel_wakeups(struct itron_object *task)
{
	int count = 0;

	while (!tact_sem_wait(task->task.wake, TACT_NOWAIT))
		count++;
	return count;
}

ER itron_delay(uint64_t ms)
{
	const uint64_t ns = runtime_ticks_ns(&itron_ticks, ms);
	struct itron_object *self = itron_self();
	tact_timeout_t unused;
	/* May the caller wait? The time is not one of a TMO, which is shorter. */
	ER code = itron_wait(1, TTW_DLY, 0, &unused);

	if (code)
		return code;
	if (!self || (ITRON_LOCKED_REFUSES && itron_cpu_locked()))
		return E_CTX;
	self->task.until_ns = tact_now().ns + ns;
	return itron_result(tact_task_sleep(ns));
}

ER itron_task_state(struct itron_object *task, struct itron_task_state *state)
{
	struct tact_task_info info = {.size = sizeof(info)};
	struct tact_sem_info wake = {.size = sizeof(wake)};
	bool noted;
	bool waits;

	if (runtime_in_handler())
		return E_CTX;
	if (tact_task_inquire(itron_task(task), &info) || tact_sem_inquire(task->task.wake, &wake))
		return E_NOEXS;
	*state = (struct itron_task_state){
		.state = TTS_DMT,
		.priority = task->task.initial,
		.base = task->task.initial,
	};
	if (!atomic_load(&task->task.active))
		return E_OK;
	waits = info.state & (TACT_TASK_STATE_WAITING | TACT_TASK_STATE_SLEEPING);
	state->priority = itron_priority(info.priority);
	state->base = itron_priority(info.base_priority);
	state->wakeups = wake.value;
	state->suspensions = info.suspend_count;
	state->state = task == itron_self() ? TTS_RUN : TTS_RDY;
	if (waits || info.suspend_count)
		state->state = (waits ? TTS_WAI : 0u) | (info.suspend_count ? TTS_SUS : 0u);
	if (!waits)
		return E_OK;
	itron_wait_of(task, &info, &state->wait, &state->object);
	/* The wait for its start, which has come, is over as soon as the task runs. */
	if (!state->wait) {
		state->state = info.suspend_count ? TTS_SUS : TTS_RDY;
		return E_OK;
	}
	noted = task->task.kind == state->wait && task->task.object == state->object;
	state->left = TMO_FEVR;
	if (noted && task->task.until_ns) {
		const uint64_t left = itron_ms_left(task->task.until_ns);

		/* dly_tsk() can be longer than a TMO can tell. */
		state->left = left > INT32_MAX ? INT32_MAX : (TMO)left;
	}
	return E_OK;
}

ER itron_task_inquire(const void *packet, ID id, struct itron_object **task,
		      struct itron_task_state *state)
{
	ER code = itron_bad(packet) ? E_PAR : itron_find_task(id, task);

	return code ? code : itron_task_state(*task, state);
}
