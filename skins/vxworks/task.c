/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Tasks: their creation, end and control. A task of VxWorks is a full task of the nucleus and a
 * record; events, hooks and what is known of it stand on the record.
 */
#include <taskLib.h>

#include <intLib.h>
#include <memPartLib.h>
#include <stdio.h>
#include <string.h>
#include <tactus/restart.h>
#include <tactus/safe.h>
#include <unistd.h>

#include "runtime/names.h"
#include "vxworks_internal.h"

/* Stacks are of Linux's size: printf() alone needs some 8 KiB. */
#define STACK_MIN_BYTES 65536u
#define OPTIONS                                                                           \
	(VX_SUPERVISOR_MODE | VX_UNBREAKABLE | VX_DEALLOC_STACK | VX_FP_TASK | VX_STDIO | \
	 VX_ADA_DEBUG | VX_FORTRAN | VX_PRIVATE_ENV | VX_NO_STACK_FILL | VX_DSP_TASK |    \
	 VX_ALTIVEC_TASK | VX_TASK_NOACTIVATE)

struct vxworks_object *vxworks_task_self(void)
{
	return (struct vxworks_object *)runtime_task_current(&vxworks_objects);
}

static bool has_place(struct runtime_record *record, void *tid)
{
	const struct vxworks_task *task = &((struct vxworks_object *)record)->task;

	return task->tcb != &task->own && (int)(intptr_t)task->tcb == *(const int *)tid;
}

/* An id that is the address of a TCB of the program, cut to an int. */
static struct vxworks_object *find_by_place(int tid)
{
	return (struct vxworks_object *)runtime_search(&vxworks_objects, VXWORKS_TASK, has_place,
						       &tid);
}

struct vxworks_object *vxworks_task_find(int tid)
{
	struct runtime_record *record;

	if (!tid)
		return vxworks_task_self();
	record = runtime_find(&vxworks_objects, (uint32_t)tid, VXWORKS_TASK);
	return record ? (struct vxworks_object *)record : find_by_place(tid);
}

static uint32_t native_priority(int priority)
{
	return TACT_PRIORITY_MAX - (uint32_t)priority;
}

static bool is_priority(int priority)
{
	return priority >= VX_TASK_PRIORITY_MIN && priority <= VX_TASK_PRIORITY_MAX;
}

struct request {
	const char *name;
	int priority;
	int options;
	int stack_bytes;
	FUNCPTR entry;
	_Vx_usr_arg_t args[VXWORKS_ARGS];
	WIND_TCB *tcb; /* NULL: the record's */
};

static struct runtime_record *reserve(const char *name)
{
	static _Atomic unsigned int made_up;
	char own[RUNTIME_NAME_BYTES];

	if (!name) {
		snprintf(own, sizeof(own), "t%u", atomic_fetch_add(&made_up, 1) + 1);
		name = own;
	}
	return runtime_reserve(&vxworks_objects, VXWORKS_TASK, name);
}

static void fill_tcb(struct vxworks_object *object, const struct request *request)
{
	WIND_TCB *tcb = request->tcb ? request->tcb : &object->task.own;

	memset(tcb, 0, sizeof(*tcb));
	tcb->id = vxworks_task_id(object);
	tcb->name = object->record.name;
	tcb->options = request->options;
	tcb->entry = request->entry;
	tcb->status = WIND_SUSPEND;
	tcb->priority = (UINT)request->priority;
	tcb->priNormal = (UINT)request->priority;
	tcb->stackSize = request->stack_bytes > (int)STACK_MIN_BYTES ? (size_t)request->stack_bytes
								     : STACK_MIN_BYTES;
	object->task.tcb = tcb;
	memcpy(object->task.args, request->args, sizeof(object->task.args));
}

/* Names of tasks need not be unique here, but in the nucleus: the second one has none there. */
static int make_native(const struct vxworks_object *object, tact_task_t *native)
{
	char key[TACT_NAME_BYTES];
	struct tact_sched_param slice;
	struct tact_task_attr attr = {
		.name = runtime_key(NULL, object->record.name, key),
		.priority = native_priority((int)object->task.tcb->priority),
		.flags = TACT_TASK_NO_JOIN,
		.stack_bytes = object->task.tcb->stackSize,
		.sched = vxworks_slice(&slice),
	};
	int error = runtime_task_create(&attr, native);

	if (error == -TACT_EEXIST || error == -TACT_EINVAL) {
		attr.name = NULL;
		error = runtime_task_create(&attr, native);
	}
	return error;
}

static STATUS make(struct vxworks_object *object)
{
	tact_event_t events;
	tact_task_t native;
	int error = tact_event_create(NULL, 0, TACT_FIFO, &events);

	if (error)
		return vxworks_status(error);
	object->task.task.ends_too = tact_object(events);
	error = make_native(object, &native);
	if (error)
		goto delete_events;
	error = runtime_task_publish(&object->record, native);
	if (!error)
		return OK;
	(void)tact_task_delete(native);
delete_events:
	(void)tact_event_delete(events);
	return vxworks_status(error);
}

static struct vxworks_object *create(const struct request *request)
{
	struct vxworks_object *object;

	if (vxworks_begin() == ERROR)
		return NULL;
	if (!is_priority(request->priority))
		return vxworks_no_id(S_taskLib_ILLEGAL_PRIORITY);
	if (!request->entry || request->options & ~OPTIONS || request->stack_bytes < 0)
		return vxworks_no_id(EINVAL);
	runtime_task_sweep(&vxworks_objects);
	object = (struct vxworks_object *)reserve(request->name);
	if (!object)
		return vxworks_no_id(S_memLib_NOT_ENOUGH_MEMORY);
	fill_tcb(object, request);
	if (make(object) == ERROR) {
		runtime_drop(&object->record);
		return NULL;
	}
	vxworks_watch_switches_to(object);
	vxworks_run_create_hooks(object->task.tcb);
	return object;
}

static void body(void *arg)
{
	struct vxworks_object *self = arg;
	const _Vx_usr_arg_t *a = self->task.args;
	int (*entry)(_Vx_usr_arg_t, _Vx_usr_arg_t, _Vx_usr_arg_t, _Vx_usr_arg_t, _Vx_usr_arg_t,
		     _Vx_usr_arg_t, _Vx_usr_arg_t, _Vx_usr_arg_t, _Vx_usr_arg_t, _Vx_usr_arg_t) =
		(__typeof__(entry))self->task.tcb->entry;

	vxworks_switches_begin(self);
	self->task.tcb->exitCode =
		entry(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]);
	vxworks_run_delete_hooks(self->task.tcb);
	vxworks_switches_end(self);
	self->task.tcb->status = WIND_DEAD;
}

static STATUS activate(struct vxworks_object *task)
{
	int error = runtime_task_start(&task->record, body, task);

	runtime_let_makers_go_first();
	return error == -TACT_EBUSY ? OK : vxworks_status(error);
}

#define ARGUMENTS                                                           \
	{                                                                   \
		arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9, arg10 \
	}

/* The calls below have one list of parameters, so each of them fills in a request. */
int taskSpawn(const char *name, int priority, int options, int stackSize, FUNCPTR entryPt,
	      _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4,
	      _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6, _Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8,
	      _Vx_usr_arg_t arg9, _Vx_usr_arg_t arg10)
{
	const struct request request = {name,    priority,  options, stackSize,
					entryPt, ARGUMENTS, NULL};
	struct vxworks_object *task = create(&request);
	int tid;

	if (!task)
		return ERROR;
	tid = vxworks_task_id(task);
	if (options & VX_TASK_NOACTIVATE)
		return tid;
	return activate(task) == OK ? tid : ERROR;
}

int taskCreate(const char *name, int priority, int options, int stackSize, FUNCPTR entryPt,
	       _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2, _Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4,
	       _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6, _Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8,
	       _Vx_usr_arg_t arg9, _Vx_usr_arg_t arg10)
{
	const struct request request = {name,    priority,  options, stackSize,
					entryPt, ARGUMENTS, NULL};
	struct vxworks_object *task = create(&request);

	return task ? vxworks_task_id(task) : ERROR;
}

STATUS taskInit(WIND_TCB *pTcb, const char *name, int priority, int options, char *pStackBase,
		int stackSize, FUNCPTR entryPt, _Vx_usr_arg_t arg1, _Vx_usr_arg_t arg2,
		_Vx_usr_arg_t arg3, _Vx_usr_arg_t arg4, _Vx_usr_arg_t arg5, _Vx_usr_arg_t arg6,
		_Vx_usr_arg_t arg7, _Vx_usr_arg_t arg8, _Vx_usr_arg_t arg9, _Vx_usr_arg_t arg10)
{
	const struct request request = {name,    priority,  options, stackSize,
					entryPt, ARGUMENTS, pTcb};

	(void)pStackBase;
	if (!pTcb)
		return vxworks_fail(EINVAL);
	return create(&request) ? OK : ERROR;
}

STATUS taskActivate(int tid)
{
	struct vxworks_object *task = vxworks_task_find(tid);

	return task ? activate(task) : vxworks_fail(S_objLib_OBJ_ID_ERROR);
}

/* The record is freed first: from here on no call finds the task. */
static void forget(struct vxworks_object *task)
{
	task->task.tcb->status = WIND_DEAD;
	vxworks_switches_end(task);
	runtime_task_end(&vxworks_objects, runtime_id(&task->record));
}

void taskExit(int code)
{
	struct vxworks_object *self = vxworks_task_self();

	if (!self) { /* main() */
		(void)fflush(NULL);
		_exit(code);
	}
	self->task.tcb->exitCode = code;
	vxworks_run_delete_hooks(self->task.tcb);
	forget(self);
	tact_task_exit();
}

/* The task that a call names which handlers may not make; NULL: errno says why. */
static struct vxworks_object *named_by_task(int tid)
{
	struct vxworks_object *task = vxworks_task_find(tid);

	if (vxworks_in_handler())
		return vxworks_no_id(S_intLib_NOT_ISR_CALLABLE);
	return task ? task : vxworks_no_id(S_objLib_OBJ_ID_ERROR);
}

STATUS taskDeleteForce(int tid)
{
	struct vxworks_object *task = named_by_task(tid);
	tact_task_t native;

	if (!task)
		return ERROR;
	if (task == vxworks_task_self())
		taskExit(0);
	native = vxworks_native(task);
	vxworks_run_delete_hooks(task->task.tcb);
	forget(task);
	(void)tact_task_delete(native);
	return OK;
}

/* The hooks run when the deletion is ordered. A safe task goes on until it is not safe any more,
 * and so does its record. */
STATUS taskDelete(int tid)
{
	struct vxworks_object *task = named_by_task(tid);
	uint64_t id;
	int error;

	if (!task)
		return ERROR;
	if (task == vxworks_task_self())
		taskExit(0);
	id = runtime_id(&task->record);
	vxworks_run_delete_hooks(task->task.tcb);
	error = tact_task_delete_unsafe(vxworks_native(task), TACT_FOREVER);
	if (!error && runtime_find(&vxworks_objects, id, VXWORKS_TASK))
		forget(task);
	return vxworks_status(error);
}

/* Its events are gone; priority, options and arguments stay. */
STATUS taskRestart(int tid)
{
	struct vxworks_object *task = named_by_task(tid);
	int error;

	if (!task)
		return ERROR;
	task->task.tcb->lockCnt = 0;
	task->task.tcb->safeCnt = 0;
	(void)tact_event_clear(vxworks_events(task), UINT64_MAX, NULL);
	error = runtime_task_restart(&task->record);
	/* It was never started. */
	return error == -TACT_EINVAL ? activate(task) : vxworks_status(error);
}

STATUS taskSafe(void)
{
	struct vxworks_object *self = vxworks_task_self();
	int error;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	error = tact_task_safe();
	if (error)
		return vxworks_fail(S_objLib_OBJ_NO_METHOD);
	if (self)
		self->task.tcb->safeCnt++;
	return OK;
}

/* If a deletion was ordered, the task ends here. One call too many is accepted. */
STATUS taskUnsafe(void)
{
	struct vxworks_object *self = vxworks_task_self();

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (self && self->task.tcb->safeCnt)
		self->task.tcb->safeCnt--;
	return tact_task_unsafe() == -TACT_EPERM ? vxworks_fail(S_objLib_OBJ_NO_METHOD) : OK;
}

STATUS taskSuspend(int tid)
{
	struct vxworks_object *task = vxworks_task_find(tid);
	int error;

	if (!tid && vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	/* A signal of Linux resumes the caller; VxWorks has none. */
	do
		error = tact_task_suspend_once(vxworks_native(task));
	while (error == -TACT_EINTR);
	return vxworks_status(error);
}

/* A task that was not activated is suspended, too. */
STATUS taskResume(int tid)
{
	struct vxworks_object *task = vxworks_task_find(tid);

	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	if (!vxworks_in_handler() && activate(task) == ERROR)
		return ERROR;
	return vxworks_status(tact_task_resume_all(vxworks_native(task)));
}

STATUS taskPrioritySet(int tid, int newPriority)
{
	struct vxworks_object *task = vxworks_task_find(tid);

	if (!is_priority(newPriority))
		return vxworks_fail(S_taskLib_ILLEGAL_PRIORITY);
	if (!task)
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	task->task.tcb->priNormal = (UINT)newPriority;
	return vxworks_status(tact_task_set_priority(vxworks_native(task),
						     native_priority(newPriority), 0, NULL));
}

STATUS taskPriorityGet(int tid, int *pPriority)
{
	const struct vxworks_object *task = named_by_task(tid);
	uint32_t priority = 0;
	int error;

	if (!task)
		return ERROR;
	error = tact_task_get_priority(vxworks_native(task), NULL, &priority);
	if (!error && pPriority)
		*pPriority = (int)(TACT_PRIORITY_MAX - priority);
	return vxworks_status(error);
}

STATUS taskLock(void)
{
	struct vxworks_object *self = vxworks_task_self();

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (self)
		self->task.tcb->lockCnt++;
	return tact_task_lock_scheduler() ? vxworks_fail(S_objLib_OBJ_NO_METHOD) : OK;
}

STATUS taskUnlock(void)
{
	struct vxworks_object *self = vxworks_task_self();

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (self && self->task.tcb->lockCnt)
		self->task.tcb->lockCnt--;
	/* One unlock too many is accepted. */
	return tact_task_unlock_scheduler() == -TACT_EPERM ? vxworks_fail(S_objLib_OBJ_NO_METHOD)
							   : OK;
}

/* main() may be a plain thread, which waits by an object. */
static int sleep_ticks(int ticks)
{
	const tact_timeout_t until = vxworks_timeout(ticks);

	if (tact_task_self().id)
		return ticks ? tact_task_sleep_until(until) : tact_task_yield();
	return ticks ? tact_sem_wait(runtime_never(), until) : 0;
}

STATUS taskDelay(int ticks)
{
	int error;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (vxworks_begin() == ERROR)
		return ERROR;
	error = sleep_ticks(ticks);
	return !error || error == -TACT_ETIMEDOUT ? OK : vxworks_fail(EINTR);
}

int taskIdSelf(void)
{
	const struct vxworks_object *self = vxworks_task_self();

	return self ? vxworks_task_id(self) : 0;
}

STATUS taskIdVerify(int tid)
{
	return vxworks_task_find(tid) ? OK : vxworks_fail(S_objLib_OBJ_ID_ERROR);
}

STATUS taskWait(int tid, int timeout)
{
	const struct vxworks_object *task = vxworks_task_find(tid);
	int error;

	if (vxworks_in_handler())
		return vxworks_fail(S_intLib_NOT_ISR_CALLABLE);
	if (!task || task == vxworks_task_self())
		return vxworks_fail(S_objLib_OBJ_ID_ERROR);
	/* The flags end with the task. */
	error = tact_event_wait(vxworks_events(task), VXWORKS_NEVER, TACT_EVENT_ANY,
				vxworks_timeout(timeout), NULL);
	return error == -TACT_EIDRM ? OK : vxworks_status(error);
}
