/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Task exceptions: the native routine of the task. Its requests are masked while exceptions are
 * disabled, which they are when a task begins and while its routine runs.
 */
#include "uitron4.h"

#define ALL UINT64_MAX

static void run(uint64_t requests, void *arg)
{
	struct itron_object *self = arg;
	void (*routine)(TEXPTN, VP_INT) = (void (*)(TEXPTN, VP_INT))self->task.more.exceptions;

	self->task.more.in_routine = true;
	self->task.more.enabled = false;
	routine((TEXPTN)requests, self->exinf);
	self->task.more.enabled = true;
	self->task.more.in_routine = false;
}

static int set_routine(tact_task_t native, struct itron_object *task)
{
	const struct tact_routine routine = {
		.size = sizeof(routine),
		.run = run,
		.arg = task,
		.masked = ALL,
	};

	return tact_task_set_routine(native, task->task.more.exceptions ? &routine : NULL);
}

void uitron4_exceptions_end(struct itron_object *self)
{
	self->task.more.enabled = false;
	self->task.more.in_routine = false;
	if (!self->task.more.exceptions)
		return;
	/* The requests go with the old routine. */
	(void)tact_task_set_routine(TACT_SELF, NULL);
	(void)set_routine(TACT_SELF, self);
}

void uitron4_exceptions_define(struct itron_object *task)
{
	(void)set_routine(itron_task(task), task);
}

ER def_tex(ID tskid, const T_DTEX *pk_dtex)
{
	struct itron_object *task;
	bool enabled;
	FP routine;
	ER code = itron_defined(pk_dtex, &routine);

	if (!code)
		code = itron_find_task(tskid, &task);
	if (!code)
		code = itron_begin();
	if (code)
		return code;
	enabled = routine && task->task.more.enabled;
	task->task.more.exceptions = routine;
	code = itron_result(set_routine(itron_task(task), task));
	task->task.more.enabled = enabled;
	if (!code && enabled && task == itron_self())
		code = ena_tex();
	return code;
}

ER ras_tex(ID tskid, TEXPTN rasptn)
{
	struct itron_object *task;
	ER code;

	if (!rasptn)
		return E_PAR;
	code = itron_find_task(tskid, &task);
	if (code)
		return code;
	if (!atomic_load(&task->task.active) || !task->task.more.exceptions)
		return E_OBJ;
	return itron_result(tact_task_request(itron_task(task), rasptn));
}

ER iras_tex(ID tskid, TEXPTN rasptn)
{
	return ras_tex(tskid, rasptn);
}

/* The calling task, which has a routine. */
static ER find_self(struct itron_object **self)
{
	*self = itron_self();
	if (!*self || itron_cpu_locked())
		return E_CTX;
	return (*self)->task.more.exceptions ? E_OK : E_OBJ;
}

ER dis_tex(void)
{
	struct itron_object *self;
	ER code = find_self(&self);

	if (code)
		return code;
	self->task.more.enabled = false;
	return itron_result(tact_task_mask_requests(ALL, 0, NULL));
}

ER ena_tex(void)
{
	struct itron_object *self;
	ER code = find_self(&self);

	if (code)
		return code;
	self->task.more.enabled = true;
	return itron_result(tact_task_mask_requests(0, ALL, NULL));
}

BOOL sns_tex(void)
{
	const struct itron_object *self = itron_self();

	return self && self->task.more.enabled ? FALSE : TRUE;
}

ER ref_tex(ID tskid, T_RTEX *pk_rtex)
{
	struct tact_routine_info info = {.size = sizeof(info)};
	struct itron_object *task;
	ER code;

	if (itron_bad(pk_rtex))
		return E_PAR;
	code = itron_find_task(tskid, &task);
	if (code)
		return code;
	if (runtime_in_handler())
		return E_CTX;
	if (!atomic_load(&task->task.active) || !task->task.more.exceptions)
		return E_OBJ;
	code = itron_result(tact_task_inquire_routine(itron_task(task), &info));
	pk_rtex->texstat = task->task.more.enabled ? TTEX_ENA : TTEX_DIS;
	pk_rtex->pndptn = (TEXPTN)info.requests;
	return code;
}
