/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Switches between the tasks of the skin, as far as a program wants to see them: hooks, and task
 * variables. Each task then has a routine of the nucleus (<tactus/routine.h>) that is requested at
 * each switch to the task. So the hooks run in the new task, before its code. A switch to a task of
 * another kind and back is none.
 */
#include <taskVarLib.h>

#include <intLib.h>
#include <memPartLib.h>
#include <stdlib.h>
#include <tactus/routine.h>

#include "vxworks_internal.h"

static _Atomic bool watched;
/* The task whose values the task variables have. */
static struct vxworks_object *_Atomic running;

static void exchange(struct vxworks_object *task)
{
	for (TASK_VAR *variable = task->task.variables; variable; variable = variable->next) {
		const int there = *variable->address;

		*variable->address = variable->value;
		variable->value = there;
	}
}

static void switch_to(struct vxworks_object *task)
{
	struct vxworks_object *former = atomic_exchange(&running, task);

	if (former == task)
		return;
	if (former)
		exchange(former);
	exchange(task);
	vxworks_run_switch_hooks(former ? former->task.tcb : NULL, task->task.tcb);
}

static void at_switch(uint64_t requests, void *arg)
{
	(void)requests;
	switch_to(arg);
}

void vxworks_watch_switches_to(struct vxworks_object *task)
{
	const struct tact_routine routine = {
		.size = sizeof(routine), .run = at_switch, .arg = task, .at_switch = 1};

	if (atomic_load(&watched))
		(void)tact_task_set_routine(vxworks_native(task), &routine);
}

static void watch(struct runtime_record *record)
{
	vxworks_watch_switches_to((struct vxworks_object *)record);
}

STATUS vxworks_watch_switches(void)
{
	struct vxworks_object *self = vxworks_task_self();

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (atomic_exchange(&watched, true))
		return OK;
	runtime_each(&vxworks_objects, VXWORKS_TASK, watch);
	atomic_store(&running, self);
	return OK;
}

/* The first switch to a task is not requested. */
void vxworks_switches_begin(struct vxworks_object *task)
{
	if (atomic_load(&watched))
		switch_to(task);
}

void vxworks_switches_end(struct vxworks_object *task)
{
	struct vxworks_object *there = task;
	TASK_VAR *variable;

	if (atomic_compare_exchange_strong(&running, &there, NULL))
		exchange(task);
	while ((variable = task->task.variables)) {
		task->task.variables = variable->next;
		free(variable);
	}
}

STATUS taskVarInit(void)
{
	return vxworks_watch_switches();
}

static TASK_VAR **link_to(struct vxworks_object *task, const int *address)
{
	TASK_VAR **place = &task->task.variables;

	while (*place && (*place)->address != address)
		place = &(*place)->next;
	return place;
}

/* The task and the variable; NULL: there is none, and errno says why. */
static TASK_VAR **find(int tid, const int *address, struct vxworks_object **task)
{
	TASK_VAR **place;

	*task = vxworks_task_find(tid);
	if (!*task)
		return vxworks_no_id(S_objLib_OBJ_ID_ERROR);
	place = link_to(*task, address);
	return *place ? place : vxworks_no_id(S_taskLib_TASK_VAR_NOT_FOUND);
}

STATUS taskVarAdd(int tid, int *pVar)
{
	struct vxworks_object *task = vxworks_task_find(tid);
	TASK_VAR *variable;

	if (vxworks_watch_switches() == ERROR)
		return ERROR;
	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (!pVar)
		return vxworks_fail(EINVAL);
	if (*link_to(task, pVar))
		return OK;
	variable = malloc(sizeof(*variable));
	if (!variable)
		return vxworks_fail(S_memLib_NOT_ENOUGH_MEMORY);
	*variable = (TASK_VAR){task->task.variables, pVar, *pVar};
	task->task.variables = variable;
	return OK;
}

static int *value_of(const struct vxworks_object *task, TASK_VAR *variable)
{
	return task == atomic_load(&running) ? variable->address : &variable->value;
}

STATUS taskVarDelete(int tid, int *pVar)
{
	struct vxworks_object *task;
	TASK_VAR **place = find(tid, pVar, &task);
	TASK_VAR *variable;

	if (!place)
		return ERROR;
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	variable = *place;
	if (task == atomic_load(&running))
		*variable->address = variable->value;
	*place = variable->next;
	free(variable);
	return OK;
}

int taskVarGet(int tid, int *pVar)
{
	struct vxworks_object *task;
	TASK_VAR **place = find(tid, pVar, &task);

	return place ? *value_of(task, *place) : ERROR;
}

STATUS taskVarSet(int tid, int *pVar, int value)
{
	struct vxworks_object *task;
	TASK_VAR **place = find(tid, pVar, &task);

	if (!place)
		return ERROR;
	*value_of(task, *place) = value;
	return OK;
}

int taskVarInfo(int tid, TASK_VAR varList[], int maxVars)
{
	const struct vxworks_object *task = vxworks_task_find(tid);
	int found = 0;

	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	for (TASK_VAR *variable = task->task.variables; variable && varList && found < maxVars;
	     variable = variable->next, found++)
		varList[found] = (TASK_VAR){NULL, variable->address, *value_of(task, variable)};
	return found;
}
