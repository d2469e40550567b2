/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tables of objects on the standard output, and the commands of the shell. */
#include <intLib.h>
#include <msgQLib.h>
#include <semLib.h>
#include <stdio.h>
#include <stdioLib.h>
#include <taskShow.h>
#include <usrLib.h>
#include <unistd.h>
#include <wdLib.h>

#include "shell.h"
#include "vxworks_internal.h"

#define TASKS_SHOWN 1024

/* Where this task prints. A task without thread-local storage prints nothing. */
static __thread FILE *task_out;

void vxworks_set_out(FILE *out)
{
	task_out = out;
}

FILE *vxworks_out(void)
{
	return task_out ? task_out : stdioFp(STDOUT_FILENO);
}

static const char *word_of(UINT status, char *word)
{
	snprintf(word, 24, "%s%s%s", status & WIND_PEND ? "PEND" : "",
		 status & WIND_DELAY ? "DELAY" : "", status & WIND_SUSPEND ? "+SUSPEND" : "");
	if (!*word)
		return "READY";
	return *word == '+' ? word + 1 : word;
}

static void show_line(const TASK_DESC *task)
{
	char word[24];

	fprintf(vxworks_out(), "%-16s %#10x %3u %-14s %#9x %7d\n", task->td_name,
		(unsigned int)task->td_id, task->td_priority, word_of(task->td_status, word),
		(unsigned int)task->td_errorStatus, task->td_stackHigh);
}

static void show_head(void)
{
	fprintf(vxworks_out(), "%-16s %10s %3s %-14s %9s %7s\n", "NAME", "TID", "PRI", "STATUS",
		"ERRNO", "STACK");
}

static void show_details(const TASK_DESC *task)
{
	fprintf(vxworks_out(),
		"  entry %p, options %#x, normal priority %u, stack %d bytes, %d used\n",
		(void *)(uintptr_t)task->td_entry, (unsigned int)task->td_options,
		task->td_priNormal, task->td_stackSize, task->td_stackHigh);
}

STATUS taskShow(int tid, int level)
{
	int ids[TASKS_SHOWN];
	TASK_DESC task;
	int count = 1;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (tid && taskInfoGet(tid, &task) == ERROR)
		return ERROR;
	ids[0] = tid;
	if (!tid)
		count = taskIdListGet(ids, TASKS_SHOWN);
	show_head();
	for (int at = 0; at < count; at++) {
		if (taskInfoGet(ids[at], &task) == ERROR)
			continue;
		show_line(&task);
		if (level > 0)
			show_details(&task);
	}
	return OK;
}

void i(int tid)
{
	(void)taskShow(tid, 0);
}

void ti(int tid)
{
	(void)taskShow(tid ? tid : taskIdSelf(), 1);
}

struct waiters {
	tact_object_t object;
	int *ids;
	int room;
	int found;
};

static bool list_waiter(struct runtime_record *record, void *arg)
{
	struct waiters *waiters = arg;
	struct tact_task_info info = {0};

	if (waiters->found < waiters->room &&
	    !tact_task_inquire((tact_task_t){runtime_native(record).id}, &info) &&
	    tact_same(info.waits_for, waiters->object))
		waiters->ids[waiters->found++] = (int)runtime_id(record);
	return false;
}

int semInfo(SEM_ID semId, int idList[], int maxTasks)
{
	const struct vxworks_object *sem = vxworks_find(semId, VXWORKS_SEM);
	struct waiters waiters = {.ids = idList, .room = idList ? maxTasks : 0};

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	waiters.object = runtime_native(&sem->record);
	(void)runtime_search(&vxworks_objects, VXWORKS_TASK, list_waiter, &waiters);
	return waiters.found;
}

static void show_waiters(SEM_ID sem)
{
	int ids[64];
	const int found = semInfo(sem, ids, NELEMENTS(ids));

	for (int at = 0; at < found; at++)
		fprintf(vxworks_out(), "  %#x %s waits\n", (unsigned int)ids[at],
			taskName(ids[at]));
}

static void show_sem(const struct tact_sem_info *info)
{
	fprintf(vxworks_out(), "count %u of %u, %u tasks wait\n", info->value, info->maximum,
		info->waiters);
}

static void show_mutex(const struct tact_mutex_info *info)
{
	const struct runtime_record *owner = runtime_task_find(&vxworks_objects, info->owner);

	fprintf(vxworks_out(), "owner %s, taken %u times, %u tasks wait\n",
		owner            ? owner->name
		: info->owner.id ? "of another kind"
				 : "none",
		info->depth, info->waiters);
}

STATUS semShow(SEM_ID semId, int level)
{
	const struct vxworks_object *sem = vxworks_find(semId, VXWORKS_SEM);
	struct tact_sem_info info = {0};
	struct tact_mutex_info mutex = {0};
	tact_object_t native;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!sem)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	native = runtime_native(&sem->record);
	fprintf(vxworks_out(), "semaphore %#x: options %#x, ",
		(unsigned int)runtime_id(&sem->record), sem->sem.options);
	if (!tact_sem_inquire((tact_sem_t){native.id}, &info))
		show_sem(&info);
	else if (!tact_mutex_inquire((tact_mutex_t){native.id}, &mutex))
		show_mutex(&mutex);
	if (level > 0)
		show_waiters(semId);
	return OK;
}

STATUS msgQShow(MSG_Q_ID msgQId, int level)
{
	MSG_Q_INFO info;

	(void)level;
	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (msgQInfoGet(msgQId, &info) == ERROR)
		return ERROR;
	fprintf(vxworks_out(),
		"message queue %#x: %d of %d messages of at most %d bytes, options %#x, "
		"%d tasks wait\n",
		(unsigned int)(uintptr_t)msgQId, info.numMsgs, info.maxMsgs, info.maxMsgLength,
		(unsigned int)info.options, info.numTasks);
	return OK;
}

STATUS wdShow(WDOG_ID wdId)
{
	const struct vxworks_object *watchdog = vxworks_find(wdId, VXWORKS_WATCHDOG);

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!watchdog)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	fprintf(vxworks_out(), "watchdog %#x: %s\n", (unsigned int)(uintptr_t)wdId,
		atomic_load(&watchdog->watchdog.counts) ? "counts" : "stopped");
	return OK;
}

#define SP_PRIORITY 100
#define SP_STACK    20000

int sp(FUNCPTR func, _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4,
       _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6, _Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8,
       _Vx_usr_arg_t arg9)
{
	static _Atomic unsigned int spawned;
	char name[16];
	int tid;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	snprintf(name, sizeof(name), "u%u", atomic_fetch_add(&spawned, 1));
	tid = taskSpawn(name, SP_PRIORITY, VX_FP_TASK, SP_STACK, func, arg1, arg2, arg3, arg4, arg5,
			arg6, arg7, arg8, arg9, 0);
	if (tid != ERROR)
		fprintf(vxworks_out(), "task spawned: id = %#x, name = %s\n", (unsigned int)tid,
			name);
	return tid;
}

STATUS td(int taskNameOrId)
{
	return taskDelete(taskNameOrId);
}

STATUS ts(int taskNameOrId)
{
	return taskSuspend(taskNameOrId);
}

STATUS tr(int taskNameOrId)
{
	return taskResume(taskNameOrId);
}
