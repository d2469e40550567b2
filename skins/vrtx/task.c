/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Tasks: their life, their priorities, suspension, turns, and what tells of them. */
#include "vrtx_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STACK_MIN_BYTES ((size_t)64 << 10)
#define PRIO_MAX        255

/* Bits of the mode of sc_tecreate(). */
#define MODE_SUSPENDED 0x2
#define MODE_LOCKED    0x4
#define MODE_NO_FPU    0x8
#define MODE_TURNS     0x10
#define MODE_SHADOW    0x100
#define MODES          (MODE_SUSPENDED | MODE_LOCKED | MODE_NO_FPU | MODE_TURNS | MODE_SHADOW)

/* Option: all tasks of a priority, which is in the place of the number. */
#define BY_PRIORITY 'A'

static _Atomic uint64_t slice_ns; /* 0: tasks of a priority take no turns */

static tact_task_t native_of(const struct vrtx_object *task)
{
	return (tact_task_t){runtime_native(&task->record).id};
}

static struct vrtx_object *current(void)
{
	return (struct vrtx_object *)runtime_task_current(&vrtx_objects);
}

/* 0: the caller. NULL: there is no such task. */
static struct vrtx_object *find(int tid)
{
	return tid ? vrtx_number_find(&vrtx_tasks, tid) : current();
}

/* The next task at or behind an index, which is moved on; NULL: none is left. */
static struct vrtx_object *next(uint32_t *index)
{
	struct runtime_record *record;

	while ((record = base_growing_at(vrtx_objects.records, *index))) {
		++*index;
		if (atomic_load_explicit(&record->id, memory_order_acquire) &&
		    record->type == VRTX_TASK)
			return (struct vrtx_object *)record;
	}
	return NULL;
}

static int priority_of(const struct vrtx_object *task)
{
	return atomic_load_explicit(&task->task.prio, memory_order_relaxed);
}

static struct tact_sched_param class_of(int mode)
{
	struct tact_sched_param param = {.sched_class = TACT_SCHED_FIFO};
	const uint64_t ns = atomic_load_explicit(&slice_ns, memory_order_relaxed);

	if (mode & MODE_TURNS && ns) {
		param.sched_class = TACT_SCHED_RR;
		param.quantum_ns = ns;
	}
	return param;
}

static void free_param(struct runtime_record *record)
{
	free(((struct vrtx_object *)record)->task.param);
}

/* A copy of the parameters; false: there is no memory. */
static bool take_param(struct vrtx_object *task, const char *param, unsigned long bytes)
{
	if (!param || !bytes)
		return true;
	task->task.param = malloc(bytes);
	if (!task->task.param)
		return false;
	memcpy(task->task.param, param, bytes);
	task->record.give_back = free_param;
	return true;
}

static int start(struct vrtx_object *task, tact_task_t native, void (*entry)(void *))
{
	int error = runtime_task_publish(&task->record, native);

	if (!error && task->task.mode & MODE_SUSPENDED)
		error = tact_task_suspend_once(native);
	if (!error)
		error = runtime_task_start(&task->record, entry, task->task.param);
	if (error < 0)
		(void)tact_task_delete(native);
	else
		runtime_let_makers_go_first();
	return error < 0 ? ER_MEM : RET_OK;
}

/* The native task of a record. Returns the code. */
static int make(struct vrtx_object *task, void (*entry)(void *), size_t stack_bytes)
{
	char key[TACT_NAME_BYTES];
	const struct tact_sched_param sched = class_of(task->task.mode);
	struct tact_task_attr attr = {
		.name = runtime_key(NULL, task->record.name, key),
		.priority = (uint32_t)(PRIO_MAX + 1 - priority_of(task)),
		.flags = TACT_TASK_NO_JOIN,
		.stack_bytes = stack_bytes < STACK_MIN_BYTES ? STACK_MIN_BYTES : stack_bytes,
		.sched = &sched,
	};
	tact_task_t native;

	if (runtime_task_create(&attr, &native))
		return ER_MEM;
	if (task->task.number)
		vrtx_number_set(&vrtx_tasks, task->task.number, runtime_id(&task->record));
	return start(task, native, entry);
}

static int create(void (*entry)(void *), int number, int prio, int mode, size_t stack_bytes,
		  const char *param, unsigned long param_bytes)
{
	struct vrtx_object *task;
	char name[16] = "";
	int error = ER_MEM;

	if (number)
		(void)snprintf(name, sizeof(name), "t%03d", number);
	runtime_task_sweep(&vrtx_objects);
	task = (struct vrtx_object *)runtime_reserve(&vrtx_objects, VRTX_TASK, name);
	if (!task)
		return ER_TCB;
	task->task.number = number;
	task->task.mode = mode;
	task->task.prio = prio;
	if (take_param(task, param, param_bytes))
		error = make(task, entry, stack_bytes);
	if (error)
		runtime_drop(&task->record);
	return error;
}

int sc_tecreate(void (*entry)(void *), int tid, int prio, int mode, unsigned long user,
		unsigned long sys, char *paddr, unsigned long psize, int *errp)
{
	int number = 0, error = ER_IIP;

	if (entry && prio >= 0 && prio <= PRIO_MAX && tid >= -1 && tid < VRTX_NUMBERS &&
	    !(mode & ~MODES) && user + sys >= user)
		error = vrtx_begin();
	if (!error && tid) {
		number = vrtx_number_take(&vrtx_tasks, tid);
		if (number < 0)
			error = ER_TID;
	}
	if (!error) {
		error = create(entry, number, prio, mode, user + sys, paddr, psize);
		if (error && number)
			vrtx_number_set(&vrtx_tasks, number, 0);
	}
	vrtx_tell(errp, error);
	return error ? -1 : number;
}

int sc_tcreate(void (*entry)(void *), int tid, int prio, int *errp)
{
	return sc_tecreate(entry, tid, prio, 0, 0, 0, NULL, 0, errp);
}

static int delete_task(struct vrtx_object *task)
{
	const tact_task_t native = native_of(task);

	runtime_task_end(&vrtx_objects, runtime_id(&task->record));
	if (tact_same(native, tact_task_self()))
		tact_task_exit();
	(void)tact_task_delete(native);
	return RET_OK;
}

/* To all tasks of a priority, the caller last. */
static int to_priority(int prio, int (*act)(struct vrtx_object *task))
{
	struct vrtx_object *task, *self = current();
	uint32_t index = 0;
	int code = RET_OK;

	while ((task = next(&index)))
		if (task != self && priority_of(task) == prio)
			(void)act(task);
	if (self && priority_of(self) == prio)
		code = act(self);
	return code;
}

static void to_tasks(int tid, int opt, int (*act)(struct vrtx_object *task), int *errp)
{
	struct vrtx_object *task;
	int error = ER_IIP;

	if (opt == BY_PRIORITY) {
		error = to_priority(tid, act);
	} else if (!opt) {
		task = find(tid);
		error = task ? act(task) : ER_TID;
	}
	vrtx_tell(errp, error);
}

void sc_tdelete(int tid, int opt, int *errp)
{
	if (runtime_in_handler()) {
		vrtx_tell(errp, VRTX_NOT_HERE);
		return;
	}
	/* main() is no task of VRTX: the program ends with its last task. */
	if (!tid && !opt && !current() && runtime_is_main_thread()) {
		(void)runtime_stay(NULL);
		exit(EXIT_SUCCESS);
	}
	to_tasks(tid, opt, delete_task, errp);
}

static int suspend(struct vrtx_object *task)
{
	return vrtx_code_now(tact_task_suspend_once(native_of(task)), ER_TID);
}

void sc_tsuspend(int tid, int opt, int *errp)
{
	to_tasks(tid, opt, suspend, errp);
}

static int resume(struct vrtx_object *task)
{
	return vrtx_code_now(tact_task_resume_all(native_of(task)), ER_TID);
}

void sc_tresume(int tid, int opt, int *errp)
{
	to_tasks(tid, opt, resume, errp);
}

static int set_native(const struct vrtx_object *task, int prio)
{
	return tact_task_set_priority(native_of(task), (uint32_t)(PRIO_MAX + 1 - prio), 0, NULL);
}

/* Also with the same priority it goes behind its equals, by way of another one. */
static int set_priority(struct vrtx_object *task, int prio)
{
	/* Nobody runs between the two steps. A handler has no need of the lock. */
	const bool locked = !tact_task_lock_scheduler();
	int error = 0;

	if (prio == priority_of(task))
		error = set_native(task, prio == PRIO_MAX ? prio - 1 : prio + 1);
	if (!error)
		error = set_native(task, prio);
	/* Before others run, who may change the priority, too. */
	if (!error)
		atomic_store_explicit(&task->task.prio, prio, memory_order_relaxed);
	if (locked)
		(void)tact_task_unlock_scheduler();
	return vrtx_code_now(error, ER_TID);
}

void sc_tpriority(int tid, int prio, int *errp)
{
	struct vrtx_object *task = find(tid);
	int error = ER_IIP;

	if (!task)
		error = ER_TID;
	else if (prio >= 0 && prio <= PRIO_MAX && prio == priority_of(task) && task == current())
		error = vrtx_code(tact_task_yield());
	else if (prio >= 0 && prio <= PRIO_MAX)
		error = set_priority(task, prio);
	vrtx_tell(errp, error);
}

void sc_tslice(unsigned short ticks)
{
	struct tact_sched_param sched;
	struct vrtx_object *task;
	uint32_t index = 0;

	atomic_store_explicit(&slice_ns, runtime_ticks_ns(&vrtx_ticks, ticks),
			      memory_order_relaxed);
	sched = class_of(MODE_TURNS);
	while ((task = next(&index)))
		if (task->task.mode & MODE_TURNS)
			(void)tact_task_set_sched(native_of(task), &sched);
}

void sc_lock(void)
{
	(void)tact_task_lock_scheduler();
}

void sc_unlock(void)
{
	(void)tact_task_unlock_scheduler();
}

/* What a task waits for, by the native object; mailboxes are none. */
static int waits_for(const struct vrtx_object *task, const struct tact_task_info *info)
{
	static const struct {
		enum vrtx_type type;
		int status;
	} kinds[] = {
		{VRTX_QUEUE, TBSQUEUE},
		{VRTX_FLAG, TBSFLAG},
		{VRTX_SEM, TBSSEMA},
		{VRTX_MUTEX, TBSMUTEX},
	};

	if (info->state & TACT_TASK_STATE_SLEEPING)
		return task->task.until_time ? TBSADELAY : TBSDELAY;
	if (!(info->state & TACT_TASK_STATE_WAITING))
		return 0;
	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (runtime_find_native(&vrtx_objects, info->waits_for, kinds[i].type))
			return kinds[i].status;
	return TBSMBOX;
}

static TCB *tell_of_handler(int pinfo[])
{
	static TCB tcb;

	if (pinfo) {
		pinfo[0] = 0;
		pinfo[1] = PRIO_MAX + 1;
		pinfo[2] = 0;
	}
	return &tcb;
}

TCB *sc_tinquiry(int pinfo[], int tid, int *errp)
{
	struct tact_task_info info = {.size = sizeof(info)};
	struct vrtx_object *task = find(tid);

	int error;

	vrtx_tell(errp, RET_OK);
	if (!tid && runtime_in_handler())
		return tell_of_handler(pinfo);
	error = task ? tact_task_inquire(native_of(task), &info) : -TACT_EBADF;
	if (error) {
		vrtx_tell(errp, error == -TACT_EPERM ? VRTX_NOT_HERE : ER_TID);
		return NULL;
	}
	task->task.tcb.TCBSTAT =
		waits_for(task, &info) | (info.state & TACT_TASK_STATE_SUSPENDED ? TBSSUSP : 0);
	if (pinfo) {
		pinfo[0] = task->task.number;
		pinfo[1] = priority_of(task);
		pinfo[2] = task->task.tcb.TCBSTAT;
	}
	return &task->task.tcb;
}
