/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The life of tasks before their ends (task_end.c). The handle of a task finds its record until the
 * task ends; the handle of a joinable task, until it was joined.
 */
#include "alchemy_task.h"
#include "remote.h"
#include "warn.h"

#define STACK_MIN_BYTES (64 * 1024)

const struct tact_sched_param *alchemy_task_class(int prio)
{
	static const struct tact_sched_param fifo = {.sched_class = TACT_SCHED_FIFO};
	static const struct tact_sched_param weak = {.sched_class = TACT_SCHED_WEAK};

	return prio ? &fifo : &weak;
}

uint32_t alchemy_task_priority(int prio)
{
	return prio ? (uint32_t)prio : TACT_PRIO_MIN;
}

/* The checks that creation and shadowing have in common. */
static bool bad_request(int prio, int mode, int modes)
{
	return mode & ~modes || prio < T_LOPRIO || prio > T_HIPRIO;
}

static struct tact_task_attr attr_of(int prio, int mode)
{
	return (struct tact_task_attr){
		.flags = (mode & T_JOINABLE ? 0 : TACT_TASK_NO_JOIN) |
			 (mode & T_WARNSW ? SKIN_WARN : 0),
		.priority = alchemy_task_priority(prio),
		.sched = alchemy_task_class(prio),
	};
}

/* A record with its port. Returns 0, or what the service returns. */
static int prepare(const char *name, int mode, struct alchemy_object **object)
{
	struct alchemy_task *task;
	int error;

	alchemy_task_sweep();
	*object = alchemy_reserve(ALCHEMY_TASK, name);
	if (!*object)
		return -ENOMEM;
	task = alchemy_task_of(*object);
	task->mode = mode;
	error = alchemy_announce(*object, name);
	if (!error)
		error = tact_port_create(NULL, TACT_PRIO | TACT_PORT_FIXED, &task->port);
	if (error)
		alchemy_drop(*object);
	return alchemy_result(error);
}

static void undo(struct alchemy_object *object)
{
	(void)tact_port_delete(alchemy_task_of(object)->port);
	alchemy_drop(object);
}

/* The native task exists. */
static int publish(struct alchemy_object *object, tact_task_t native, RT_TASK *task)
{
	struct alchemy_task *own = alchemy_task_of(object);
	int error = alchemy_task_enter(native, object);

	if (error)
		return error;
	own->self.handle = alchemy_publish(object, tact_object(native));
	if (task)
		*task = own->self;
	return 0;
}

int rt_task_create(RT_TASK *task, const char *name, int stksize, int prio, int mode)
{
	char key[TACT_NAME_BYTES];
	struct tact_task_attr attr = attr_of(prio, mode);
	struct alchemy_object *object;
	tact_task_t native;
	int error = alchemy_begin();

	if (error)
		return error;
	if (alchemy_bad_pointer(task) || bad_request(prio, mode, T_LOCK | T_WARNSW | T_JOINABLE) ||
	    stksize < 0)
		return -EINVAL;
	attr.stack_bytes = (size_t)(stksize < STACK_MIN_BYTES ? STACK_MIN_BYTES : stksize);
	error = prepare(name, mode, &object);
	if (error)
		return error;
	attr.name = alchemy_key(ALCHEMY_TASK, object->name, key);
	error = alchemy_task_make(&attr, &native);
	if (error) {
		undo(object);
		return alchemy_result(error);
	}
	error = publish(object, native, task);
	if (error) {
		(void)tact_task_delete(native);
		undo(object);
	}
	return error;
}

/* The argument is a handle, because a task that is deleted while it is in Linux may return when its
 * record is used for another object. */
static void run(void *arg)
{
	uintptr_t handle = (uintptr_t)arg;
	struct alchemy_object *object = alchemy_find(&handle, ALCHEMY_TASK);
	const struct alchemy_task *task;

	if (!object)
		return;
	task = alchemy_task_of(object);
	/* After a fault the task would end without freeing its record. */
	(void)alchemy_task_end_with_thread(handle);
	if (task->mode & T_LOCK)
		(void)tact_task_lock_scheduler();
	task->entry(task->arg);
	/* The name is withdrawn in Linux; this mode switch is not the program's. */
	(void)tact_task_set_flags(TACT_SELF, 0, SKIN_WARN);
	alchemy_task_end(handle);
}

int rt_task_start(RT_TASK *task, void (*entry)(void *arg), void *arg)
{
	struct alchemy_object *object;
	struct alchemy_task *own;
	struct tact_task_info info = {0};
	int error;

	if (!task || !entry || alchemy_task_find(task, &object))
		return -EINVAL;
	error = tact_task_inquire(alchemy_task(object), &info);
	if (error)
		return alchemy_task_result(error);
	if (!(info.state & TACT_TASK_STATE_DORMANT))
		return 0;
	own = alchemy_task_of(object);
	own->entry = entry;
	own->arg = arg;
	error = tact_task_start(alchemy_task(object), run, (void *)own->self.handle);
	alchemy_let_makers_go_first();
	return error == -TACT_EBUSY ? 0 : alchemy_task_result(error);
}

int rt_task_spawn(RT_TASK *task, const char *name, int stksize, int prio, int mode,
		  void (*entry)(void *arg), void *arg)
{
	int error = entry ? rt_task_create(task, name, stksize, prio, mode) : -EINVAL;

	return error ? error : rt_task_start(task, entry, arg);
}

int rt_task_shadow(RT_TASK *task, const char *name, int prio, int mode)
{
	char key[TACT_NAME_BYTES];
	struct tact_task_attr attr = attr_of(prio, mode);
	struct alchemy_object *object;
	tact_task_t native;
	int error = alchemy_begin();

	if (error)
		return error;
	if (bad_request(prio, mode, T_LOCK | T_WARNSW))
		return -EINVAL;
	if (alchemy_task_current())
		return -EBUSY;
	error = prepare(name, mode, &object);
	if (error)
		return error;
	attr.name = alchemy_key(ALCHEMY_TASK, object->name, key);
	/* Done now, as it may need Linux. */
	error = alchemy_task_end_with_thread(alchemy_handle(object));
	if (error)
		goto drop_record;
	error = alchemy_attach(&attr, &native);
	if (error)
		goto forget_end;
	alchemy_task_of(object)->self.thread = pthread_self();
	error = publish(object, native, task);
	if (error)
		goto detach;
	if (mode & T_LOCK)
		(void)tact_task_lock_scheduler();
	return 0;
detach:
	(void)tact_task_detach();
forget_end:
	(void)alchemy_task_end_with_thread(0);
drop_record:
	undo(object);
	return alchemy_result(error);
}

int rt_task_bind(RT_TASK *task, const char *name, RTIME timeout)
{
	int error = alchemy_bind(ALCHEMY_TASK, task, name, timeout);

	if (!error)
		task->thread = 0;
	return error;
}

int rt_task_unbind(RT_TASK *task)
{
	return alchemy_unbind(task);
}
